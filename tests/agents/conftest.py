"""Where agents meet: a server over stdio, and a web table over HTTP."""

import pathlib
import sys
from collections.abc import Iterator

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "table"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))

from meeting import Place, table_with_mcp


@pytest.fixture(scope="module", params=["stdio", "http"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
          ) -> Iterator[Place]:
    runs = tmp_path_factory.mktemp("agents") / "runs"
    if request.param == "stdio":
        yield Place(runs, None)
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXCHEQUER_PYTHON", "1")  # for the lab's processes
        with table_with_mcp(runs) as served:
            yield Place(runs, served)


@pytest.fixture
def shared(tmp_path: pathlib.Path) -> Iterator[Place]:
    """A table over HTTP, with its inside at hand."""
    with table_with_mcp(tmp_path / "runs") as served:
        yield Place(tmp_path / "runs", served)
