# lull: `make dev` runs it on this machine, `make test` shows that it holds. Nothing else needs to be known.

PYTHON ?= python3
IN := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help ready dev up status logs restart down test check fmt bench clean

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' Makefile | while IFS='	' read -r name what; do printf '  make %-9s %s\n' "$$name" "$$what"; done

ready:
	@$(PYTHON) -I local/bootstrap.py

dev: ready ## run lull in this terminal, until Ctrl-C (PORT=8080 fixes the page's port)
	@$(IN) -m local.up dev

up: ready ## run lull in the background
	@$(IN) -m local.up up

status: ready ## what runs, since when, with how much memory
	@$(IN) -m local.up status || [ $$? = 3 ]

logs: ready ## what the parts say, as they say it (PART=tick for one)
	@$(IN) -m local.up logs $(PART)

restart: ready ## start all parts again, or one (PART=tick)
	@$(IN) -m local.up restart $(PART)

down: ready ## stop what runs
	@$(IN) -m local.up down

test: check ## everything that must hold: style, types, and every test
	@$(IN) -m local.browser
	@$(IN) -m pytest -n auto

check: ready ## style and types alone
	@$(IN) -m ruff check .
	@$(IN) -m ruff format --check .
	@$(IN) -m mypy

fmt: ready ## put the code into shape
	@$(IN) -m ruff check --fix .
	@$(IN) -m ruff format .

bench: ready ## measure everything, or one thing (NAME=webhook)
	@$(IN) -m benchmarks $(NAME)

clean: ready ## stop what runs and forget everything it kept
	@$(IN) -m local.up clean
