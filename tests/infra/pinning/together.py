"""Many mutations judged with few plans. Each is made in half of the plans, in other ones than each other mutation.

An argument that differs in exactly the plans of one mutation differs because of that one: two together would make it
differ in more plans than one is in, or in fewer. What cannot be told apart in this way is judged by itself.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from tests.infra.pinning.facts import Place, facts_of
from tests.infra.pinning.judging import Judge, refusal
from tests.infra.pinning.merging import merged, text_of
from tests.infra.pinning.mutations import Mutation
from tests.infra.pinning.scenarios import SCENARIOS
from tests.infra.pinning.table import differences
from tests.infra.workspace import TerraformFailed

#: of each deployment, for a group
PLANS = 8
#: the plans that a mutation is made in, one set for each
SETS = [frozenset(chosen) for chosen in combinations(range(PLANS), PLANS // 2)]
SIZE = len(SETS)
#: as many are judged one by one rather than halved until one is left
FEW = 4
Found: TypeAlias = dict[Mutation, str]
WHERE = re.compile(r"\bon (\S+) line (\d+)")


class Refused(Exception):
    """Terraform refuses some of these, for what it says."""

    def __init__(self, mutations: Sequence[Mutation], said: str) -> None:
        """Keep both."""
        super().__init__(said)
        self.mutations = mutations
        self.said = said


@dataclass(frozen=True)
class Together:
    """Judges a group of mutations with one judge's copy of the deployment."""

    judge: Judge
    #: the module whose resources are looked at; all of them if it is empty
    part: str = ""

    def findings(self, group: Sequence[Mutation]) -> Found:
        """What is said of those that it can tell apart from the others; nothing of one that survives by itself."""
        found: Found = {}
        for scenario in SCENARIOS:
            while left := [mutation for mutation in group if mutation not in found]:
                try:
                    self._make_plan(scenario, left)
                    found |= self._told_apart(scenario, left)
                    break
                except Refused as refused:
                    found |= self._judged_alone(scenario, refused)
        return found

    def _told_apart(self, scenario: str, left: Sequence[Mutation]) -> Found:
        chosen = dict(zip(left, SETS, strict=False))
        seen: dict[Place, set[int]] = defaultdict(set)
        said: dict[Place, str] = {}
        for number in range(PLANS):
            self._make_plan(scenario, [one for one in left if number in chosen[one]])
            facts = facts_of(self.judge.workspace.read_plan(scenario).resources)
            for place, sentence in differences(scenario, facts).items():
                if place[0].startswith(self.part):
                    seen[place].add(number)
                    said[place] = sentence
        return {mutation: said[place] for mutation, place in told_apart(chosen, seen).items()}

    def _judged_alone(self, scenario: str, refused: "Refused") -> Found:
        suspects = suspected(refused.said, merged(refused.mutations).lines)
        if not 1 <= len(suspects) <= FEW:
            suspects = [self._offender(scenario, suspects or [*refused.mutations])]
        return {mutation: self.judge.finding(mutation) for mutation in suspects}

    def _offender(self, scenario: str, left: list[Mutation]) -> Mutation:
        """One that Terraform refuses, where it does not say in which line."""
        while len(left) > 1:
            half = len(left) // 2
            try:
                self._make_plan(scenario, left[:half])
                left = left[half:]
            except Refused:
                left = left[:half]
        return left[0]

    def _make_plan(self, scenario: str, mutations: Sequence[Mutation]) -> None:
        try:
            with ExitStack() as edits:
                for file, text in merged(mutations).texts.items():
                    edits.enter_context(self.judge.workspace.edited(file, text_of(file), text))
                self.judge.workspace.write_plan(scenario, *self.options, **SCENARIOS[scenario])
        except TerraformFailed as failed:
            refusal(failed)
            raise Refused(mutations, str(failed)) from failed

    @property
    def options(self) -> list[str]:
        """What makes Terraform plan this part alone."""
        return [f"-target={self.part}"] if self.part else []


def told_apart(
    chosen: Mapping[Mutation, frozenset[int]], seen: Mapping[Place, AbstractSet[int]]
) -> Mapping[Mutation, Place]:
    """Of each mutation a place that differs in exactly the plans that it was made in."""
    by_plans = {frozenset(plans): place for place, plans in seen.items()}
    return {mutation: by_plans[plans] for mutation, plans in chosen.items() if plans in by_plans}


def suspected(said: str, lines: Mapping[Mutation, range]) -> list[Mutation]:
    """Those in whose lines Terraform finds something; all of the file if none is in that line."""
    places = {(file, int(line)) for file, line in WHERE.findall(said)}
    near = [one for one, span in lines.items() if any(one.file == file and line in span for file, line in places)]
    return near or [one for one in lines if any(one.file == file for file, _ in places)]
