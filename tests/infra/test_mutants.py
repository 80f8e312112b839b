"""A fixed sample of all mutations of infra's arguments; `make mutants` judges every one."""

from collections.abc import Sequence
from functools import cache

import pytest

from infra.bundle import ROOT
from tests.infra.mutants.judging import SURVIVORS, Judge, fits, reason_to_survive, refusal
from tests.infra.mutants.mutations import Mutation, in_fair_order, mutations_of
from tests.infra.workspace import TerraformFailed, Workspace

#: the size of the sample: each mutation takes about a second of processor time
SAMPLE = 12


@cache
def every() -> Sequence[Mutation]:
    """List all mutations in an order that makes a sample fair, but only once a test runs."""
    return in_fair_order(mutations_of(ROOT / "infra"))


@pytest.fixture(scope="module")
def judge(applied: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """Copy the deployment for mutations."""
    return Judge(applied.copied(tmp_path_factory.mktemp("mutants") / "copy"))


@pytest.mark.parametrize("number", range(SAMPLE))
def test_a_mutation_is_found(judge: Judge, number: int) -> None:
    mutation = every()[number]
    assert reason_to_survive(mutation) or judge.finding(mutation), mutation.name


def test_there_is_a_mutation_of_each_kind_for_each_file() -> None:
    kinds = {mutation.kind.split()[0] for mutation in every()}
    of_values = {"altered", "doubled", "flipped", "halved", "removed", "swapped"}
    assert kinds == of_values | {"always", "clause", "emptied", "exchanged", "misspelt", "negated", "renamed"}
    files = {str(file.relative_to(ROOT / "infra")) for file in (ROOT / "infra").rglob("*.tf")}
    assert {file for file in files if "/tests/" not in file} <= {mutation.file for mutation in every()}
    names = [mutation.name for mutation in every()]
    assert len(set(names)) == len(names) > 6000


def test_each_reason_to_survive_is_one_of_a_mutation_that_there_is() -> None:
    assert [of for of in SURVIVORS if not any(fits(of, mutation) for mutation in every())] == []


def test_a_provider_that_is_gone_finds_nothing() -> None:
    assert refusal(TerraformFailed("\nError: Unsupported attribute\n\n  on x")).endswith(": Unsupported attribute")
    for said in ("\nError: Failed to load plugin schemas\n\nError while loading", "killed"):
        with pytest.raises(TerraformFailed):
            refusal(TerraformFailed(said))
