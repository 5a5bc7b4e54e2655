"""What all tests share."""

import hypothesis
import pytest

from exchequer.core.find import game_names
from exchequer.gpu import driver

# No test depends on the machine's speed.
hypothesis.settings.register_profile(
    "exchequer", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("exchequer")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true",
                     help="rewrite golden games and signatures instead of comparing")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of one game run in one process, so that nothing is compiled twice."""
    for item in items:
        values = getattr(item, "callspec", None)
        for value in values.params.values() if values else ():
            name = getattr(value, "name", value)
            if name in game_names():
                item.add_marker(pytest.mark.xdist_group(name))
                break


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> bool:
    return request.config.getoption("--golden")


@pytest.fixture
def no_driver(monkeypatch):
    """A machine without a GPU."""
    monkeypatch.setattr(driver, "LIBRARIES", ("libno-such-driver.so",))
    driver.library.cache_clear()
    driver.device.cache_clear()
    yield
    driver.library.cache_clear()
    driver.device.cache_clear()
