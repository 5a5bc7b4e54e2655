"""What the table does in The Jagged Time when time runs out."""

DEFAULTS = ("stop",)
NEVER = ("resign",)
SENTENCE = "the phase ends; what must be chosen is the first in the list"
