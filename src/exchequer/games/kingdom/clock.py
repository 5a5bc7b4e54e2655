"""What the table does in Kingdom when time runs out."""

DEFAULTS = ("end", "palace:leave", "stop-selling")
SENTENCE = "the turn ends; where something has to be sold, the first thing in the list is sold"
