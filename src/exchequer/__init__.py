"""Exchequer takes a tabletop prototype from rulebook to evidence."""

__version__ = "0.1.0"
