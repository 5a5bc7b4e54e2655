"""Small complete games that `exchequer new` copies: a first one, and that of the tutorial."""
