# lull: `make dev` runs it on this machine, `make test` checks it, `make help` lists the rest.

PYTHON ?= python3
IN := .venv/bin/python
# whether somebody said yes: YES=no is none
said = $(filter 1 y Y yes Yes YES true True TRUE on,$(1))

# where bytecode is not to be written (a container's usual setting) every process compiles all it imports, again and again
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help ready dev up status logs restart down incidents replay describe rebuild export archive restore test check style types tests fmt bench bundle infra-check inventory mutants deploy register canary destroy clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' Makefile | while IFS='	' read -r name what; do printf '  make %-9s %s\n' "$$name" "$$what"; done

ready:
	@$(PYTHON) -I local/bootstrap.py

dev: ready ## run lull in this terminal, until Ctrl-C (PORT=8080 fixes the page's port)
	@$(IN) -m local.up dev

up: ready ## run lull in the background
	@$(IN) -m local.up up

status: ready ## show what runs, since when, and its memory
	@$(IN) -m local.up status || [ $$? = 3 ]

logs: ready ## follow the logs of all parts, or of one (PART=tick)
	@$(IN) -m local.up logs $(PART)

restart: ready ## restart all parts, or one (PART=tick)
	@$(IN) -m local.up restart $(PART)

down: ready ## stop lull
	@$(IN) -m local.up down

incidents: ready ## list incidents (KIND=dead_letter for one kind, ALL=yes with replayed ones)
	@$(IN) -m operations incidents $(if $(KIND),--kind $(KIND)) $(if $(call said,$(ALL)),--all)

replay: ready ## retry a dead letter (ID=…; ID=--all for all; without ID lists them)
	@$(IN) -m operations replay $(ID)

describe: ready ## count the files that are described, waiting or given up (AGAIN=yes retries those)
	@$(IN) -m operations describe $(if $(AGAIN),$(if $(filter yes,$(AGAIN)),--again,$(error AGAIN takes `yes`)))

rebuild: ready ## rebuild what is derived from transcripts (YES=yes does not ask; MODEL=no calls no model)
	@$(IN) -m operations rebuild $(if $(call said,$(YES)),--yes) $(if $(filter no,$(MODEL)),--without-model)

export: ready ## write conversations as JSONL (CONV=conv-… or CHAT=Telegram's id for some, TO=folder; FORGOTTEN=yes: only ids of forgotten people)
	@$(IN) -m operations export $(if $(CONV),--conversation=$(CONV)) $(if $(CHAT),--chat=$(CHAT)) $(if $(call said,$(FORGOTTEN)),--forgotten) $(if $(TO),--to=$(TO))

archive: ready ## update an archive now (TO=gs://bucket or s3://bucket)
	@$(IN) -m operations archive $(or $(TO),$(error write where it goes: make archive TO=gs://my-bucket or TO=s3://my-bucket))

restore: ready ## rebuild an empty database from an archive (FROM=folder, gs://… or s3://…; ADD=yes into one in use)
	@$(IN) -m operations restore $(or $(FROM),$(error write where it comes from: make restore FROM=folder, gs://my-bucket or s3://my-bucket)) $(if $(call said,$(ADD)),--add)

test: ready ## check everything: style, types, and all tests
	@$(MAKE) --no-print-directory -j3 style types tests

check: style types ## check style and types only

style: ready
	@$(IN) -m ruff check .
	@$(IN) -m ruff format --check .
	@.venv/bin/lint-imports --no-cache --no-logo

types: ready
	@$(IN) -m mypy

tests: ready
	@$(IN) -m local.browser
	@$(IN) -m pytest -n auto --dist loadfile --no-loadscope-reorder

fmt: ready ## format the code
	@$(IN) -m ruff check --fix .
	@$(IN) -m ruff format .

bench: ready ## run all benchmarks, or one (NAME=webhook; NAME=decisions DATA=file; NAME=retrieve DATA=folder)
	@$(IN) -m benchmarks $(NAME)

bundle: ready ## write each function's deployment bundle into build/
	@$(IN) -m infra.bundle

# what its linter says of the Terraform; it is fetched for the occasion, and asks nobody else
infra-check: ready
	@terraform fmt -check -diff -recursive infra
	@"$$($(IN) -c 'from infra.bundle import uv; print(uv())')" tool run --quiet checkov==3.3.30 \
		--directory infra --framework terraform --skip-download --quiet --compact

inventory: ready ## rewrite the inventory of infra (tests/infra/inventory): Terraform's plan in each scenario
	@$(IN) -m tests.infra.standin $(IN) -m tests.infra.inventory

mutants: ready ## break each argument of infra, and check that the tests notice (OF=modules/queue SAMPLE=60 for some)
	@$(IN) -m tests.infra.standin $(IN) -m tests.infra.mutants $(if $(OF),--of "$(OF)") $(if $(SAMPLE),--sample $(SAMPLE))

deploy: ready ## deploy lull to Google Cloud, or update it (YES=1 asks nothing, PLAN=whole shows the whole plan)
	@$(IN) -m operations.deployment deploy $(if $(call said,$(YES)),--yes)

register: ready ## register the deployed bots' webhooks with Telegram again
	@$(IN) -m operations.deployment register

canary: ready ## send a test update through lull, and show each step's result
	@$(IN) -m operations.canary

destroy: ready ## remove lull from Google Cloud (DATA=yes also deletes its data)
	@$(IN) -m operations.deployment destroy $(if $(call said,$(YES)),--yes) $(if $(filter yes,$(DATA)),--data)

clean: ready ## stop lull and delete its local data
	@$(IN) -m local.up clean
