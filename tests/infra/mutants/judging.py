"""Check that tests find a mutation: by the text of a file, by the plan, or by the modules' own tests."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml
from lark.exceptions import LarkError

from infra.bundle import ROOT
from tests.infra.inventory.files import texts_of, unseen_texts
from tests.infra.inventory.planned import Inventory, inventory_of
from tests.infra.inventory.scenarios import scenarios
from tests.infra.inventory.stored import differences, load_inventory, read_file
from tests.infra.mutants.mutations import Mutation
from tests.infra.workspace import TerraformFailed, Workspace, run_standin
from tests.infra.writing import mistakes

#: mutations that change nothing, with the reason; * matches anything
SURVIVORS: Mapping[str, str] = yaml.safe_load((Path(__file__).parent / "survivors.yaml").read_text())
#: Terraform's words after the stand-in has ended, which tell nothing about a mutation
OF_THE_PROVIDER = re.compile(r"plugin|reattach|connection", re.IGNORECASE)
#: modules that are used once, under their own name: planning one alone costs half of planning everything
ALONE = {"build", "datastore", "observability", "queue", "schedule"}


@dataclass(frozen=True)
class Judge:
    """A copy of a deployment, in which mutations are made one after another."""

    workspace: Workspace

    def finding(self, mutation: Mutation) -> str:
        """Return the first finding about a mutation; empty if it survives."""
        try:
            return next(self._findings(mutation), "")
        except LarkError:
            return "Terraform refuses it: no HCL"
        except TerraformFailed as refused:
            return refusal(refused)

    def _findings(self, mutation: Mutation) -> Iterator[str]:
        """Yield findings from the cheapest check on, which is enough for most mutations."""
        if mutation.file.endswith(".tf"):
            yield from differences(
                read_file("files").get(mutation.file), unseen_texts(mutation.file, mutation.text) or None
            )
            yield from mistakes(texts_of(ROOT / "infra") | {mutation.file: mutation.text})
        if mutation.file.startswith("aws/"):
            return
        before = (ROOT / "infra" / mutation.file).read_text()
        with self.workspace.edited(mutation.file, before, mutation.text):
            if "variables" in mutation.file:
                yield from self._test_findings(mutation)
            if part := part_of(mutation):
                yield from self._plan_findings("usual", part)
            for scenario in scenarios():
                yield from self._plan_findings(scenario)
            if "variables" not in mutation.file:
                yield from self._test_findings(mutation)

    def _plan_findings(self, scenario: str, part: str = "") -> Iterator[str]:
        options = [f"-target={part}"] if part else []
        kept = load_inventory(scenario)
        found = inventory_of(self.workspace.plan(scenario, *options, **scenarios()[scenario]))
        if part:
            kept, found = _resources_of(part, kept), _resources_of(part, found)
        yield from differences(kept, found)

    def _test_findings(self, mutation: Mutation) -> Iterator[str]:
        inside = self.workspace.inside(str(Path(*Path(mutation.file).parts[:2])) if "/" in mutation.file else "")
        if not (inside.folder / ".terraform").exists():
            inside.must("init", "-input=false")
        # in its own cloud, as a test that ends early leaves its resources there
        with run_standin() as reattach:
            ran = replace(inside, reattach=reattach).run("test")
        if ran.code:
            yield refusal(TerraformFailed(ran.text))


def _resources_of(part: str, inventory: Inventory) -> Inventory:
    return {"resources": {at: values for at, values in inventory["resources"].items() if at.startswith(part)}}


def part_of(mutation: Mutation) -> str:
    """Return the module whose plan alone can show the mutation; empty if everything must be planned."""
    folder, *below = mutation.file.split("/")
    return f"module.{below[0]}" if folder == "modules" and below[0] in ALONE else ""


def refusal(said: TerraformFailed) -> str:
    """Return Terraform's objection to a mutation. Raises an error with its words if the provider has ended."""
    sentence = str(said).partition("Error: ")[2].partition("\n")[0]
    if not sentence or OF_THE_PROVIDER.search(sentence):
        raise said
    return f"Terraform refuses it: {sentence}"


def reason_to_survive(mutation: Mutation) -> str:
    """Return the reason why no test can find the mutation; empty if there is none."""
    return next((why for of, why in SURVIVORS.items() if fits(of, mutation)), "")


def fits(of: str, mutation: Mutation) -> bool:
    """Whether a line of the survivors matches a mutation."""
    return bool(re.fullmatch(".*".join(map(re.escape, of.split("*"))), mutation.name))
