# Everything runs in .venv, which is made with the pinned versions when it is missing or when the pins have changed.

# The suites start hundreds of processes, which compile what they import anew where no byte code is kept.
export PYTHONDONTWRITEBYTECODE :=

PYTHON ?= python3
VENV := .venv
INSTALLED := $(VENV)/.installed
READERS := $(VENV)/.readers
PYTEST := $(VENV)/bin/python -m pytest

.PHONY: help proofs kernel kernel-again checked-again manifest claims latex test lint controls precision precision-long precision-normalised precision-machines precision-sums precision-predicting contest curves learning pictures report site bench clean

help:
	@echo "make proofs    prove every theorem from the weights and print the table"
	@echo "make kernel    have Coq check every proof that is written for it, in build/kernel, and print the table"
	@echo "make kernel-again  the same once more by coqchk, with the standard library, and all axioms of all files (minutes)"
	@echo "make manifest  prove every theorem and write findings/trust"
	@echo "make claims    judge what the papers print and write findings/claims, a page for each paper"
	@echo "make latex     write every derivation, proof and judged claim to build/derivations, as LaTeX and PDF"
	@echo "make test      lint, types, and all tests but the theorems of make proofs and the long suites of make controls"
	@echo "make controls  every weight changed, every claim changed, 5,000 random networks, exports: the long suites; with"
	@echo "               SCHEDULER=ADDRESS by the workers of a Dask cluster, with KEEP=FILE what passed is not run again"
	@echo "make precision where rounding breaks every construction (hours); rows that are there are kept"
	@echo "make precision-long  the same on words of up to 300 million symbols, for two constructions (hours)"
	@echo "make precision-normalised  under layer normalisation, for four constructions and two formats (minutes)"
	@echo "make precision-machines  of the networks that run the Turing machines (minutes)"
	@echo "make precision-sums  of networks that add (minutes)"
	@echo "make precision-predicting  of networks that predict a token or a class (minutes)"
	@echo "make contest   prove or refute the entries of a contest of decoders that add, and write findings/contest (minutes)"
	@echo "make curves    accuracy and cross-entropy against length, and what covering costs (minutes)"
	@echo "make learning  train the networks of the papers and keep what came out (two hours of one core)"
	@echo "make pictures  draw the pictures from the results"
	@echo "make report    write findings/precision from the results"
	@echo "make site      write all of it as pages to build/site (minutes)"
	@echo "make bench     throughput beside a dense network and a count of bits, and the benchmarks, whose results go to benchmarks/results/latest.json"
	@echo "make clean     remove .venv and caches"

$(INSTALLED): pyproject.toml setup.py constraints.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || \
		{ echo "weightproof needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c "import venv, ensurepip" 2>/dev/null || \
		{ echo "this Python has no venv module; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev,cluster,site]"
	@touch $@

# What reads exported networks in the long suite: half a gigabyte that nothing else needs.
$(READERS): $(INSTALLED)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev,cluster,site,readers]"
	@touch $@

proofs: $(INSTALLED)
	$(PYTEST) -n 2 --dist loadgroup -m proofs tests/proofs

# What is unchanged since the last time is not checked again.
kernel: $(INSTALLED)
	$(VENV)/bin/python -m weightproof.reports.kernel build/kernel

kernel-again: kernel
	@$(MAKE) --no-print-directory checked-again

# By the other program, which has the kernel and nothing else, and reads what make kernel has compiled.
checked-again:
	coqchk -silent -o -Q build/kernel Weightproof $$(cat build/kernel/checked)

# A folder of findings, written by a command that the name of the new folder ends. Not straight into the old one: an error
# would leave it half written, and pages of what is gone would stay.
define anew
rm -rf $(1).new
mkdir -p $(1).new
$(2) $(1).new
rm -rf $(1)
mv $(1).new $(1)
endef

manifest: $(INSTALLED)
	$(call anew,findings/trust,$(VENV)/bin/python -m weightproof.manifest.pages)

claims: $(INSTALLED)
	$(call anew,findings/claims,$(VENV)/bin/python -m weightproof claims --output)

latex: $(INSTALLED)
	$(VENV)/bin/python -m weightproof derive --all --output build/derivations --pdf

lint: $(INSTALLED)
	$(VENV)/bin/python -m ruff check .
	$(VENV)/bin/python -m ruff format --check .
	$(VENV)/bin/python -m mypy

# In the order of tests/conftest.py: what takes longest is not left for the end.
SUITE := $(PYTEST) -n 2 --dist loadgroup --no-loadscope-reorder

# The last line stays pytest's summary.
test: lint
	$(SUITE) -m "not proofs and not controls"

# With UNTIL, in seconds since 1970, those that have not begun by then are left out, and told. With SCHEDULER, workers of
# Dask do it; with KEEP, what passed is kept in that file, and not run again.
controls: $(READERS)
ifneq ($(SCHEDULER)$(KEEP),)
	$(if $(UNTIL),$(error make controls: UNTIL goes with neither SCHEDULER nor KEEP; leave it out))
	$(VENV)/bin/python -m tests.long_suites $(if $(SCHEDULER),--scheduler $(SCHEDULER)) $(if $(KEEP),--keep $(KEEP))
else
	$(SUITE) -m controls $(if $(UNTIL),--until $(UNTIL))
endif

RESULTS := benchmarks/results

ENCODERS = $(shell $(VENV)/bin/python -c "from weightproof.constructions.library import names; print(*names())")

precision: $(INSTALLED)
	$(VENV)/bin/weightproof precision $(ENCODERS) --law --attention strict --attention explicit --attention fused \
		--attention matmul --tolerance 1e-7 --keep $(RESULTS)/precision-cpu.json > /dev/null

precision-long: $(INSTALLED)
	$(VENV)/bin/weightproof precision parity one --law --max-length 300000000 \
		--keep $(RESULTS)/precision-long-cpu.json > /dev/null

NORMALISED := $(VENV)/bin/weightproof precision parity first one dyck1-margin --law --dtype bfloat16 --dtype float16 \
	--max-length 1000 --keep $(RESULTS)/precision-normalised-cpu.json --with remove-centering --with

precision-normalised: $(INSTALLED)
	$(NORMALISED) layer-norm:epsilon=0 > /dev/null
	$(NORMALISED) layer-norm:epsilon=1/100000 > /dev/null

precision-machines: $(INSTALLED)
	$(VENV)/bin/weightproof precision increment palindrome-machine busy-beaver-3 unary-to-binary \
		rnn-by-encoder-decoder rnn-by-directional \
		--keep $(RESULTS)/precision-machines-cpu.json > /dev/null

precision-sums: $(INSTALLED)
	$(VENV)/bin/weightproof precision modular-addition modular-addition-uncorrected parity-feed-forward --max-length 400000000 \
		--keep $(RESULTS)/precision-sums-cpu.json > /dev/null

precision-predicting: $(INSTALLED)
	$(VENV)/bin/weightproof precision noisy-majority noisy-majority-silent-2 noisy-majority-end noisy-majority-end-silent-2 \
		--attention explicit --attention strict --keep $(RESULTS)/precision-predicting-cpu.json > /dev/null

contest: $(INSTALLED)
	$(VENV)/bin/python -m weightproof.manifest.contest findings

curves: $(INSTALLED)
	$(VENV)/bin/python benchmarks/curves.py
	$(VENV)/bin/python benchmarks/cross_entropy.py
	$(VENV)/bin/python benchmarks/weight.py
	$(VENV)/bin/python benchmarks/covering.py

learning: $(INSTALLED)
	for name in $$($(VENV)/bin/python -c "from weightproof.numeric.learning import library; \
			print(*library.experiments())"); do \
		$(VENV)/bin/python -m weightproof learn $$name --json > build-$$name.json && \
		mv build-$$name.json benchmarks/results/learning-$$name-cpu.json || exit 1; \
	done

pictures: $(INSTALLED)
	$(VENV)/bin/python benchmarks/pictures.py

report: $(INSTALLED)
	$(call anew,findings/precision,$(VENV)/bin/python benchmarks/report.py)

site: $(INSTALLED)
	$(VENV)/bin/python -m weightproof site --output build/site $(foreach file,$(wildcard $(RESULTS)/precision*.json),--rows $(file))

bench: $(INSTALLED)
	$(VENV)/bin/python benchmarks/baseline.py
	$(PYTEST) benchmarks --benchmark-json=$(RESULTS)/latest.json

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks build *.egg-info
