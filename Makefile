# Everything runs in .venv, which is made with the pinned versions when it is missing or when the pins have changed.

PYTHON ?= python3
VENV := .venv
INSTALLED := $(VENV)/.installed
PYTEST := $(VENV)/bin/python -m pytest

.PHONY: help proofs manifest test lint controls bench clean

help:
	@echo "make proofs    prove every theorem from the weights and print the table"
	@echo "make manifest  prove every theorem and write TRUST.md"
	@echo "make test      lint, types, and all tests"
	@echo "make controls  change every nonzero weight, one at a time, and print the table (minutes)"
	@echo "make bench     the benchmarks; results go to benchmarks/results/latest.json"
	@echo "make clean     remove .venv and caches"

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || \
		{ echo "weightproof needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c "import venv, ensurepip" 2>/dev/null || \
		{ echo "this Python has no venv module; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	@touch $@

proofs: $(INSTALLED)
	$(PYTEST) -m proofs -p no:xdist

# Not straight into TRUST.md: an error would leave it empty.
manifest: $(INSTALLED)
	$(VENV)/bin/python -m proofs.manifest > TRUST.md.new
	mv TRUST.md.new TRUST.md

lint: $(INSTALLED)
	$(VENV)/bin/python -m ruff check .
	$(VENV)/bin/python -m ruff format --check .
	$(VENV)/bin/python -m mypy

# The last line stays pytest's summary.
test: lint
	$(PYTEST) -n 2 --dist worksteal

controls: $(INSTALLED)
	$(PYTEST) -n 2 -m controls

bench: $(INSTALLED)
	@mkdir -p benchmarks/results
	$(PYTEST) benchmarks --benchmark-json=benchmarks/results/latest.json

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks build *.egg-info
