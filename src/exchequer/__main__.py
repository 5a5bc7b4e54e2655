"""`python -m exchequer` is `exchequer`."""

from exchequer.cli.main import main

main()
