"""Opponents. A bot is given an observation, never the true state."""
