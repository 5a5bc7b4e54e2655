"""The lab: a game played in bulk, and what its designer can learn from it."""
