"""The wheel: built, installed into an empty environment outside the checkout, and run there."""

import json
import os
import pathlib
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile

import pytest

import exchequer
from exchequer.core.find import shipped_names

ROOT = pathlib.Path(__file__).parents[1]
pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out],
                   cwd=ROOT, check=True, capture_output=True)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The `bin` of an environment with only the wheel; it borrows the libraries of this one."""
    home = tmp_path_factory.mktemp("elsewhere") / "env"
    venv.create(home, with_pip=False)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = home / "lib" / version / "site-packages"
    subprocess.run([sys.executable, "-m", "pip", "--python", home / "bin" / "python", "install",
                    "--quiet", "--no-deps", "--no-index", wheel], check=True, capture_output=True)
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"),
                 str(pathlib.Path(pytest.__file__).parents[1])}
    (packages / "libraries.pth").write_text("\n".join(sorted(libraries)) + "\n")
    return home / "bin"


def run(folder, *command):
    """Outside the checkout, in plain Python: nothing has to be compiled."""
    without = ("PYTHONPATH", "PYTHONHOME", "EXCHEQUER_GAMES")
    environment = {key: value for key, value in os.environ.items() if key not in without}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                          env={**environment, "EXCHEQUER_PYTHON": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_program_runs(installed, tmp_path):
    names = [row["name"] for row in json.loads(run(tmp_path, installed / "exchequer", "games",
                                                   "--json"))]
    assert names == list(shipped_names())
    told = json.loads(run(tmp_path, installed / "exchequer", "simulate", "kingdom", "--games",
                          "3", "--set", "turn_limit=2", "--json"))
    assert [told["games"], told["unfinished"]] == [3, 0]


def test_the_package_is_imported_and_played_from_there(installed, tmp_path):
    snippet = ("import exchequer\n"
               "for game in exchequer.games():\n"
               "    position = game.start(seed=1)\n"
               "    position.play(exchequer.bot('random').choose(position))\n"
               "    assert 'to move' in repr(position)\n"
               "    assert game.rulebook\n"
               "print(exchequer.__version__, exchequer.__file__)")
    version, file = run(tmp_path, installed / "python", "-c", snippet).split()
    assert version == exchequer.__version__
    assert pathlib.Path(file).is_relative_to(installed.parent)


def test_the_wheel_holds_every_file_of_the_package(wheel):
    tracked = subprocess.check_output(["git", "ls-files", "src/exchequer"], cwd=ROOT, text=True)
    with zipfile.ZipFile(wheel) as archive:
        held = {f"src/{name}" for name in archive.namelist()}
    assert set(tracked.split()) <= held
    assert "src/exchequer/py.typed" in held


def test_metadata_names_the_pythons_that_ci_runs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [line.rpartition(" ")[2] for line in project["classifiers"]
             if line.startswith("Programming Language :: Python :: 3.")]
    workflow = (ROOT / ".github/workflows/test.yml").read_text()
    assert f"python: {json.dumps(named)}" in workflow
    assert project["requires-python"] == f">={named[0]}"
