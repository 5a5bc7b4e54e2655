"""The games, one folder each. They are found by their folder; nothing here lists them."""
