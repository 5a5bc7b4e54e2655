PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: play test check bench golden pictures clean

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

$(VENV)/peers: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[peers]"
	touch $@

bench: $(VENV)/peers  ## speed and size, beside peers in the same run
	$(BIN)/exchequer bench

golden: $(VENV)/installed  ## rewrite golden games and signatures
	$(BIN)/pytest tests/test_golden.py --golden

pictures: $(VENV)/installed  ## draw the pictures of the documentation again
	$(BIN)/python scripts/terminal_picture.py
	$(BIN)/python scripts/print_pictures.py

clean:
	rm -rf $(VENV)
