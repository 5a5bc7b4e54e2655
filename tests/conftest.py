"""What all tests share."""

import hypothesis
import pytest

# No test depends on the machine's speed.
hypothesis.settings.register_profile(
    "exchequer", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("exchequer")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true",
                     help="rewrite golden games and signatures instead of comparing")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> bool:
    return request.config.getoption("--golden")
