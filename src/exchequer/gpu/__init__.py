"""The same rules on a GPU, a million games at once. `docs/gpu.md` says how, and how fast."""
