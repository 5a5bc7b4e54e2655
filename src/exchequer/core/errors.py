"""What people give that cannot be used."""


class InputError(ValueError):
    """A sentence that names the offending value and says what would be right.

    The command line prints it, the table shows it; neither shows a traceback.
    """
