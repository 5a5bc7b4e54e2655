PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: play load responsiveness soak kill conformance audit test check docs bench golden pictures clean

$(VENV)/installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[dev]"
	touch $@

$(VENV)/play: pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[table,lab,print]"
	touch $@

play: $(VENV)/play  ## open the web table in the browser
	$(BIN)/exchequer serve --reports lab-runs --reports docs/reports

load: $(VENV)/installed  ## 200 tables, 600 streams, 200 moves a second: how long people wait, what it costs
	$(BIN)/python scripts/load.py --rate 200

responsiveness: $(VENV)/installed  ## first paint, and from a click to the changed screen, in Chromium
	$(BIN)/python scripts/responsiveness.py

soak: $(VENV)/installed  ## thirty minutes of load: memory, files, waiting times
	$(BIN)/python scripts/soak.py

kill: $(VENV)/installed  ## kill -9 a hundred times under 10,000 moves, on SQLite and PostgreSQL
	$(BIN)/python scripts/kill.py
	$(BIN)/python scripts/kill.py --postgres

conformance: $(VENV)/installed  ## the peers' own suites on all games, from the installed wheel
	sh scripts/conformance.sh

audit: $(VENV)/installed  ## known holes in what a server depends on, as far as anybody can be asked
	$(BIN)/python scripts/audit.py

check: $(VENV)/installed audit  ## style, types, layers, known holes
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest tests/test_layers.py

test: check  ## everything, as CI runs it; installs PostgreSQL and Chromium when missing
	sh scripts/install_test_tools.sh
	$(BIN)/exchequer warm
	$(BIN)/pytest --durations 15 -r fER

docs: $(VENV)/installed  ## the documentation site, into site/; a broken link is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

$(VENV)/peers: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[peers]"
	touch $@

bench: $(VENV)/peers  ## speed and size, beside peers in the same run
	$(BIN)/exchequer bench
	$(BIN)/exchequer bench --search
	$(BIN)/exchequer bench --envs
	$(BIN)/exchequer bench kingdom --lab

golden: $(VENV)/installed  ## rewrite golden games and signatures
	$(BIN)/pytest tests/test_golden.py --golden

pictures: $(VENV)/installed  ## draw the pictures of the documentation and of the rules again
	$(BIN)/python scripts/terminal_picture.py
	$(BIN)/python scripts/print_pictures.py
	sh scripts/install_test_tools.sh
	$(BIN)/python scripts/table_pictures.py
	$(BIN)/python scripts/learn_pictures.py

clean:
	rm -rf $(VENV)
