"""Whether the pins find a mutation: at once by the file's text, or by what the plans of it say."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml
from lark.exceptions import LarkError

from infra.bundle import ROOT
from tests.infra.pinning.facts import facts_of
from tests.infra.pinning.mutations import Mutation
from tests.infra.pinning.scenarios import SCENARIOS
from tests.infra.pinning.table import differences, text_differences
from tests.infra.pinning.texts import arguments
from tests.infra.workspace import TerraformFailed, Workspace

#: mutations that change nothing, with the reason; * is anything
SURVIVORS: Mapping[str, str] = yaml.safe_load((Path(__file__).parent / "survivors.yaml").read_text())

#: what Terraform says when the stand-in has ended: nothing is known of a mutation then
OF_THE_PROVIDER = re.compile(r"plugin|reattach|connection", re.IGNORECASE)


#: modules that are used once, under their own name: a plan of one alone costs half of what one of everything does
ALONE = {"build", "datastore", "observability", "queue", "schedule"}


@dataclass(frozen=True)
class Judge:
    """A copy of a deployment, in which one mutation after the other is planned."""

    workspace: Workspace

    def finding(self, mutation: Mutation) -> str:
        """What is said of a mutation; nothing if it survives. Most are seen where only their own module is planned."""
        if (said := said_of_text(mutation)) or mutation.file.startswith("aws/"):
            return said
        part = part_of(mutation)
        return (part and self._planned(mutation, part)) or self._planned(mutation)

    def _planned(self, mutation: Mutation, part: str = "") -> str:
        options = [f"-target={part}"] if part else []
        before = (ROOT / "infra" / mutation.file).read_text()
        with self.workspace.edited(mutation.file, before, mutation.text):
            for scenario, variables in SCENARIOS.items():
                try:
                    plan = self.workspace.plan(scenario, *options, **variables)
                except TerraformFailed as refused:
                    return refusal(refused)
                found = differences(scenario, facts_of(plan.resources))
                if said := [sentence for place, sentence in found.items() if place[0].startswith(part)]:
                    return said[0]
                if part:  # other deployments are looked at whole
                    break
        return ""


def part_of(mutation: Mutation) -> str:
    """The module that can be planned alone to see what became of it; empty for everything."""
    folder, *below = mutation.file.split("/")
    return f"module.{below[0]}" if folder == "modules" and below[0] in ALONE else ""


def said_of_text(mutation: Mutation) -> str:
    """What is said of a mutation by its file's text alone, without a plan."""
    if not mutation.file.endswith(".tf"):
        return ""
    try:
        found = text_differences(mutation.file, arguments(mutation.file, mutation.text))
    except LarkError:
        return "Terraform refuses it: no HCL"
    return found[0] if found else ""


def refusal(said: TerraformFailed) -> str:
    """What Terraform has against a mutation. Raises what it said when that is about its provider, which is gone."""
    sentence = str(said).partition("Error: ")[2].partition("\n")[0]
    if not sentence or OF_THE_PROVIDER.search(sentence):
        raise said
    return f"Terraform refuses it: {sentence}"


def reason_to_survive(mutation: Mutation) -> str:
    """Why nothing can find it; nothing if there is no reason."""
    return next((why for of, why in SURVIVORS.items() if fits(of, mutation)), "")


def fits(of: str, mutation: Mutation) -> bool:
    """Whether a mutation is one of those that a line of the survivors means."""
    return bool(re.fullmatch(".*".join(map(re.escape, of.split("*"))), mutation.name))
