"""The command line: `exchequer --help` lists its commands, `main` defines them."""
