# The one door: `make help` lists what there is.
VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
OUT ?= out

.DEFAULT_GOAL := help
.PHONY: help setup run test test-flink flink-demo check golden docs bench fuzz clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.installed  ## virtual environment, package, Tesseract

$(VENV)/.installed: pyproject.toml scripts/setup.sh
	PYTHON="$(PYTHON)" sh scripts/setup.sh "$(VENV)"
	@touch $@

run: setup  ## run the main job on the sample documents and query the result
	@$(BIN)/docbeam extract samples --output $(OUT)
	@$(BIN)/python scripts/show.py $(OUT)

test: setup check  ## everything that must hold: style, types, directions, tests
	$(BIN)/python -m pytest -q

test-flink: setup  ## the tests on a Flink cluster that they start and stop; needs Java and Maven
	$(BIN)/python -m pytest -q -rs tests/runners/test_flink.py

flink-demo: setup  ## the sample documents on a Flink cluster with two TaskManagers; prints the web UI's address
	@$(BIN)/python scripts/flink.py demo

check: setup  ## ruff, mypy, import directions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

golden: setup  ## rewrite the expected texts; the diff is the review
	$(BIN)/python -m tests.golden.rewrite

docs: setup  ## write the generated pages: docs/schema.md, docs/options.md, the README's tables
	$(BIN)/python scripts/docs.py

bench: setup  ## measure, in one run, against a bare loop over the same readers
	$(BIN)/python -m benchmarks

fuzz: setup  ## read 20 000 mutated documents through the sandbox
	$(BIN)/python scripts/fuzz.py --files 20000 samples tests/golden $(wildcard ../shared/corpus ../shared/cases/files)

clean:  ## remove the virtual environment and what a run wrote
	rm -rf $(VENV) $(OUT) build *.egg-info
