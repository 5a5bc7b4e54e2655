"""What the desk reads and writes: variants with a history, an index of runs, figures so far."""

import json

import pytest

from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.lab import history as histories
from exchequer.lab import studies
from exchequer.lab.history import history
from exchequer.lab.runs import FINISHED, STOPPED, Runs
from exchequer.lab.variants import Variants


@pytest.fixture
def variants(tmp_path):
    return Variants(tmp_path / "variants", find_game("kingdom"))


# Variants ----------------------------------------------------------------------------------------

def test_a_variant_is_kept_with_everything_it_was(variants):
    variants.save("rich", {"start_gold": 12})
    variants.save("rich", {"start_gold": 14})
    variants.save("rich", {"start_gold": 14})  # nothing new
    assert variants.own == ["rich"]
    assert variants.content("rich").value("start_gold") == 14
    assert [version.overlay for version in variants.history("rich")] == [
        {"rules": {"start_gold": 12}}, {"rules": {"start_gold": 14}}]


def test_only_what_differs_is_kept(variants):
    shipped = variants.content().value("turn_limit")
    content = variants.save("rich", {"rules": {"start_gold": 12, "turn_limit": shipped},
                                     "building": {"mill": {"price": 3}}})
    assert content.overlay == {"rules": {"start_gold": 12}, "building": {"mill": {"price": 3}}}
    assert variants.name_of(content.overlay) == "rich"
    assert variants.name_of({}) == "as it ships"
    assert variants.name_of({"rules": {"start_gold": 11}}) == "start_gold 11"


def test_a_variant_that_is_deleted_leaves_its_history(variants):
    variants.save("rich", {"start_gold": 12})
    variants.delete("rich")
    assert "rich" not in variants.names
    assert len(variants.history("rich")) == 1


@pytest.mark.parametrize("name", ["../rich", "", "a b", "rich.toml"])
def test_a_name_never_leaves_the_folder(variants, name):
    with pytest.raises(InputError, match="is no name of a variant"):
        variants.save(name, {"start_gold": 12})


def test_a_number_out_of_bounds_is_a_sentence_and_nothing_is_kept(variants):
    with pytest.raises(InputError, match="start_gold"):
        variants.save("rich", {"start_gold": -5})
    assert variants.own == []


# The index ---------------------------------------------------------------------------------------

def kept(folder, name, verdict=None, **plan):
    place = folder / name
    place.mkdir(parents=True)
    (place / "plan.toml").write_text(
        'kind = "run"\ngame = "kingdom"\nlineups = [{ bots = "greedy", games = 10 }]\n'
        '[overlay.rules]\nstart_gold = 12\n')
    if verdict is not None:
        (place / "summary.json").write_text(json.dumps({"verdict": verdict}))
        (place / "report.html").write_text("<title>done</title>")


def test_a_run_is_read_once_and_again_when_it_changes(tmp_path, monkeypatch):
    for number in range(5):
        kept(tmp_path, f"kingdom-run-{number}", f"Verdict {number}.")
    kept(tmp_path, "kingdom-run-9")
    lines = {line.name: line for line in history(tmp_path)}
    assert lines["kingdom-run-3"].verdict == "Verdict 3."
    assert lines["kingdom-run-3"].overlay == {"rules": {"start_gold": 12}}
    assert not lines["kingdom-run-9"].is_done

    read, line_of = [], histories.line_of
    monkeypatch.setattr(histories, "line_of", lambda path, *more: (
        read.append(path.parent.name), line_of(path, *more))[1])
    history(tmp_path)
    assert read == []
    (tmp_path / "kingdom-run-9" / "summary.json").write_text('{"verdict": "At last."}')
    assert {line.name: line for line in history(tmp_path)}["kingdom-run-9"].verdict == "At last."
    assert read == ["kingdom-run-9"]


def test_an_index_of_another_version_is_made_again(tmp_path):
    kept(tmp_path, "kingdom-run-1", "Fine.")
    (tmp_path / "index.json").write_text('[{"name": "kingdom-run-1", "colour": "red"}]')
    assert [line.verdict for line in history(tmp_path)] == ["Fine."]


def test_no_runs_no_lines(tmp_path):
    assert history(tmp_path / "nowhere") == []


# Runs --------------------------------------------------------------------------------------------

def test_a_run_says_how_it_stands(tmp_path):
    kept(tmp_path, "kingdom-run-1", "Fine.")
    kept(tmp_path, "kingdom-run-2")
    runs = Runs(tmp_path)
    assert runs.status("kingdom-run-1") == FINISHED
    assert runs.status("kingdom-run-2") == STOPPED
    with pytest.raises(InputError, match="There is no run"):
        runs.status("../kingdom-run-1")


def test_figures_settle_while_a_run_is_played(study):
    _, folder = study(game="kingdom", lineups=[{"bots": "random", "games": 80}])
    found = json.loads(folder.live.read_text())
    arm = found["arms"][0]
    assert (found["played"], found["total"]) == (96, 96)  # and a fifth again, to tell luck
    assert (arm["name"], arm["games"], arm["of"]) == ("random", 80, 80)
    for share, low, high in arm["seats"]:
        assert 0 <= low <= share <= high <= 1
    assert sum(share for share, _, _ in arm["seats"]) == pytest.approx(1)


def test_a_run_that_is_finished_has_its_summary(study, tmp_path, monkeypatch):
    """Whenever somebody asks while the last files are written, there is an answer."""
    said, write = [], studies.write_whole

    def asked_after(path, data):
        write(path, data)
        said.append(Runs(tmp_path).state("run")["status"])

    monkeypatch.setattr(studies, "write_whole", asked_after)
    study(game="kingdom", lineups=[{"bots": "random", "games": 10}])
    assert said == [STOPPED, FINISHED]
