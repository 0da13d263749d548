# Two commands do all the set-up: `make tournament` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Debian packages that tests use and a plain machine lacks; installed where this user may.
PACKAGES := bubblewrap chromium lua5.4 ruby
JOBS   ?= auto

.PHONY: tournament test lint types unit system soak clean

tournament: $(VENV)/.installed
	$(BIN)/arena tournament configs/quickstart.yaml

test: system lint types unit

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tested
	$(BIN)/mypy

unit: $(VENV)/.tested system
	$(BIN)/pytest -n $(JOBS) --dist loadgroup -q

soak: $(VENV)/.tested
	$(BIN)/python tests/soak.py --kills 200

# The arena alone, for those who only want to play.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --editable .
	touch $@

# The arena with all its extras and what its tests need.
$(VENV)/.tested: $(VENV)/.installed
	$(BIN)/pip install --quiet --editable '.[cluster,train]' --group dev
	touch $@

system:
	@tools/install-packages $(PACKAGES)

clean:
	rm -rf $(VENV) build dist results .mypy_cache .pytest_cache .ruff_cache .hypothesis
