# lull: `make dev` runs it on this machine, `make test` shows that it holds. Nothing else needs to be known.

PYTHON ?= python3
IN := .venv/bin/python
# whether somebody said yes: YES=no is none
said = $(filter 1 y Y yes Yes YES true True TRUE on,$(1))

# where bytecode is not to be written (a container's usual setting) every process compiles all it imports, again and again
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help ready dev up status logs restart down incidents replay describe rebuild export archive restore test check style types tests fmt bench bundle infra-check inventory mutants deploy register canary destroy clean

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

incidents: ready ## what went wrong (KIND=dead_letter for one kind, ALL=yes with what was replayed)
	@$(IN) -m operations incidents $(if $(KIND),--kind $(KIND)) $(if $(call said,$(ALL)),--all)

replay: ready ## have a dead letter tried again (ID=…; ID=--all for all; none lists them)
	@$(IN) -m operations replay $(ID)

describe: ready ## how many files are described, wait, or were given up (AGAIN=yes has those tried again)
	@$(IN) -m operations describe $(if $(AGAIN),$(if $(filter yes,$(AGAIN)),--again,$(error AGAIN takes `yes`)))

rebuild: ready ## what is derived from transcripts, made from them again (YES=yes does not ask; MODEL=no without its calls)
	@$(IN) -m operations rebuild $(if $(call said,$(YES)),--yes) $(if $(filter no,$(MODEL)),--without-model)

export: ready ## write conversations as JSONL (CONV=conv-… or CHAT=Telegram's id for some, TO=folder; FORGOTTEN=yes: who was)
	@$(IN) -m operations export $(if $(CONV),--conversation=$(CONV)) $(if $(CHAT),--chat=$(CHAT)) $(if $(call said,$(FORGOTTEN)),--forgotten) $(if $(TO),--to=$(TO))

archive: ready ## bring an archive up to date now (TO=gs://bucket or s3://bucket)
	@$(IN) -m operations archive $(or $(TO),$(error write where it goes: make archive TO=gs://my-bucket or TO=s3://my-bucket))

restore: ready ## rebuild an empty database from an archive (FROM=folder, gs://… or s3://…; ADD=yes into one in use)
	@$(IN) -m operations restore $(or $(FROM),$(error write where it comes from: make restore FROM=folder, gs://my-bucket or s3://my-bucket)) $(if $(call said,$(ADD)),--add)

test: ready ## everything that must hold: style, types, and every test
	@$(MAKE) --no-print-directory -j3 style types tests

check: style types ## style and types alone

style: ready
	@$(IN) -m ruff check .
	@$(IN) -m ruff format --check .
	@.venv/bin/lint-imports --no-cache --no-logo

types: ready
	@$(IN) -m mypy

tests: ready
	@$(IN) -m local.browser
	@$(IN) -m pytest -n auto --dist loadfile --no-loadscope-reorder

fmt: ready ## put the code into shape
	@$(IN) -m ruff check --fix .
	@$(IN) -m ruff format .

bench: ready ## measure everything, or one thing (NAME=webhook; NAME=decisions DATA=file; NAME=retrieve DATA=folder)
	@$(IN) -m benchmarks $(NAME)

bundle: ready ## write what is deployed of each function into build/
	@$(IN) -m infra.bundle

# what its linter says of the Terraform; it is fetched for the occasion, and asks nobody else
infra-check: ready
	@terraform fmt -check -diff -recursive infra
	@"$$($(IN) -c 'from infra.bundle import uv; print(uv())')" tool run --quiet checkov==3.3.30 \
		--directory infra --framework terraform --skip-download --quiet --compact

inventory: ready ## write the inventory of infra anew (tests/infra/inventory): what Terraform plans in each scenario
	@$(IN) -m tests.infra.standin $(IN) -m tests.infra.inventory

mutants: ready ## make every argument of infra wrong, and see that the tests find it (OF=modules/queue SAMPLE=60 for some)
	@$(IN) -m tests.infra.standin $(IN) -m tests.infra.mutants $(if $(OF),--of "$(OF)") $(if $(SAMPLE),--sample $(SAMPLE))

deploy: ready ## put lull into Google Cloud, or what changed of it (YES=1 asks nothing, PLAN=whole shows all of the plan)
	@$(IN) -m operations.deployment deploy $(if $(call said,$(YES)),--yes)

register: ready ## tell Telegram again where the deployed bots' updates go
	@$(IN) -m operations.deployment register

canary: ready ## send an update of lull's own the way of a message, and say what each step saw
	@$(IN) -m operations.canary

destroy: ready ## take lull out of Google Cloud (DATA=yes deletes what was said, too)
	@$(IN) -m operations.deployment destroy $(if $(call said,$(YES)),--yes) $(if $(filter yes,$(DATA)),--data)

clean: ready ## stop what runs and forget everything it kept
	@$(IN) -m local.up clean
