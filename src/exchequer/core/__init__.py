"""What every game and application stands on. `ARCHITECTURE.md` lists the modules in order."""
