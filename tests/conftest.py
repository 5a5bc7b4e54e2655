"""What all tests share."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true",
                     help="rewrite golden games and signatures instead of comparing")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> bool:
    return request.config.getoption("--golden")
