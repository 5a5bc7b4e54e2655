"""What the table does in Treasury 0.17 when time runs out."""

DEFAULTS = ("cancel", "pass", "no", "end")
SENTENCE = ("an unfinished choice is taken back, offers are declined and the turn is passed; "
            "what must be chosen is the first in the list")
