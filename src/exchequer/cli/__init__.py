"""The command line: `exchequer games | play | replay | simulate | bench | warm | check`."""
