"""What the table does in Treasury 0.3 when time runs out."""

DEFAULTS = ("end", "no")  # not "back": a turn needs an action, and would be begun for ever
SENTENCE = ("the turn ends, or the first move in the list is made where the rules ask for one; "
            "offers are declined")
