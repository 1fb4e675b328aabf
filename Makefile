# `make help` lists the targets. Each does all that it needs first, and again only what has changed:
# the stamps in .venv/ say when the environment was made and the package built.

PYTHON ?= python3
BIN := .venv/bin
RUST := $(shell find src -name '*.rs') Cargo.toml Cargo.lock pyproject.toml \
        $(wildcard python/kugiri/unicode/*.txt)

.DEFAULT_GOAL := help
.PHONY: help demo test build lint types bench parity parity-data browser valgrind docs clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

demo: build ## train on the sample text and split a sentence, step by step
	@$(BIN)/kugiri demo

test: build lint types ## every check and test
	cargo test --quiet
	$(BIN)/python -m pytest -n 2 --dist loadfile

build: .venv/built ## the package in .venv, with its Rust core

lint: .venv/made ## formatting and rules: ruff, rustfmt, clippy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cargo fmt --check
	cargo clippy --quiet --all-targets -- -D warnings
	cargo clippy --quiet --all-targets --all-features -- -D warnings

types: build ## types: mypy, and the stub of the core against the core
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest kugiri._core --ignore-disjoint-bases

bench: build ## measure against the peers and write the ratios into README.md
	$(BIN)/python -m pip install --quiet -r requirements/bench.txt
	$(BIN)/python benchmarks/run.py --write-readme

parity-data: .venv/made ## fetch the original libraries and real vocabularies (not part of the project)
	$(BIN)/python tools/parity_data.py

browser: .venv/made ## the headless browser of the page tests: Chromium (on Debian, as root) and its driver
	@command -v chromium >/dev/null || { apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/browser.txt

valgrind: ## what counts the instructions of encoding (on Debian, as root)
	@command -v valgrind >/dev/null || { apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends valgrind >/dev/null; }

parity: build parity-data ## compare every id of all the text, and write docs/compatibility.md
	$(BIN)/python tools/parity.py
	$(BIN)/python tools/parity_trainings.py

docs: build ## check that every example in the documents runs
	$(BIN)/python -m pytest tests/test_docs.py

clean: ## remove what was built
	rm -rf .venv target dist python/kugiri/*.so

.venv/made: requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "kugiri needs Python 3.10 or newer; say make PYTHON=...")'
	@$(PYTHON) -m venv .venv
	@echo 'Installing the pinned dependencies into .venv'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	@touch $@

.venv/built: .venv/made $(RUST)
	@echo 'Compiling the core: a minute or two the first time'
	@PIP_QUIET=1 VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/maturin develop --quiet --release --locked >/dev/null
	@touch $@
