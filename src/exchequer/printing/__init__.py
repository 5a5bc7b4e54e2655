"""Print and play: what a game's `pieces.py` and `print.typ` describe, on paper and elsewhere.

    pieces       what there is to print, and what changed since another content
    paper        which piece goes where on which page, fronts and backs
    typeset      runs Typst on one job; its errors become sentences
    press        the PDF of a game's pieces
    rulebook     the rulebook as a PDF, with the content's numbers
    tabletop     card sheets and saved objects for Tabletop Simulator
    spreadsheet  content as CSV, and back
"""
