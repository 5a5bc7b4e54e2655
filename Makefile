PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: play test check bench golden clean

$(VENV)/installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[dev]"
	touch $@

play: $(VENV)/installed  ## play in the terminal
	$(BIN)/exchequer play kingdom

check: $(VENV)/installed  ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest tests/test_layers.py

test: check  ## everything, as CI runs it
	$(BIN)/exchequer warm
	$(BIN)/pytest

bench: $(VENV)/installed  ## speed and size, beside peers when they are installed
	$(BIN)/exchequer bench

golden: $(VENV)/installed  ## rewrite golden games and signatures
	$(BIN)/python -m pytest tests/test_golden.py --golden

clean:
	rm -rf $(VENV)
