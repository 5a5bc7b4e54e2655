"""`exchequer print` and `exchequer content` as a person uses them."""

import os
import subprocess
import sys

import pymupdf


def run(*arguments, code=0, where):
    done = subprocess.run([sys.executable, "-m", "exchequer", *arguments], capture_output=True,
                          text=True, cwd=where, env={**os.environ, "COLUMNS": "200"})
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_print_writes_a_pdf_and_says_what_it_holds(tmp_path):
    done = run("print", "kingdom", "--paper", "letter", where=tmp_path)
    assert done.stdout.startswith("kingdom.pdf: 2 boards, 24 buildings, 2 player aids")
    page = pymupdf.open(tmp_path / "kingdom.pdf")[0]
    assert [round(edge) for edge in page.rect[2:]] == [612, 792]


def test_from_spreadsheet_to_the_one_card_that_changed(tmp_path):
    run("content", "export", "kingdom", "--out", "cards.csv", where=tmp_path)
    sheet = tmp_path / "cards.csv"
    text = sheet.read_text(encoding="utf-8-sig")
    assert "building,mill,,Mill,7," in text
    sheet.write_text(text.replace("building,mill,,Mill,7,", "building,mill,,Mill,9,"))
    done = run("content", "import", "kingdom", "cards.csv", "--out", "mine.toml", where=tmp_path)
    assert "mine.toml: 1 changed value." in done.stdout
    done = run("print", "kingdom", "--variant", "mine.toml", "--since", "base", where=tmp_path)
    assert done.stdout.startswith("kingdom.pdf: 2 buildings;")


def test_a_refused_import_writes_nothing(tmp_path):
    (tmp_path / "cards.csv").write_text("table,id,price\nbuilding,mill,dear\n")
    (tmp_path / "mine.toml").write_text("turn_limit = 5\n")
    done = run("content", "import", "kingdom", "cards.csv", "--out", "mine.toml", code=2,
               where=tmp_path)
    assert done.stderr == ("exchequer: cards.csv: row 2, column price (C): 'dear' is not a whole "
                           "number from 0 to 99.\n")
    assert (tmp_path / "mine.toml").read_text() == "turn_limit = 5\n"


def test_what_makes_no_sense_together_is_said(tmp_path):
    for arguments, sentence in [
            (["--rulebook", "--csv"], "One thing at a time: --rulebook and --csv write different"),
            (["--sheets", "--since", "base"], "it cannot be used with --sheets"),
            (["--paper", "a5"], 'There is no paper size "a5"; there are a4 and letter.'),
            (["--set", "building.mill.text=" + "Far too much text. " * 60],
             "Kingdom: mill: the text does not fit its box")]:
        assert sentence in run("print", "kingdom", *arguments, code=2, where=tmp_path).stderr
    assert list(tmp_path.iterdir()) == []
