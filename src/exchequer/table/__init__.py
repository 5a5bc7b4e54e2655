"""The web table: lobby, seats, matches, journal, streams."""
