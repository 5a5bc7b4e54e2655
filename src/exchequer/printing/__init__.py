"""Print and play: what a game's `pieces.py` and `print.typ` say, on paper and in other boxes.

    pieces       what there is to print, and what changed since another content
    paper        which piece lies where on which page, fronts and backs
    typeset      Typst, called with one job; its refusals in sentences
    press        the PDF of a game's pieces
    rulebook     rulebook.md as blocks, its numbers filled in
    tabletop     card sheets and saved objects for Tabletop Simulator
    spreadsheet  content as CSV, and the way back
"""
