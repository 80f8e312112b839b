"""The trust tiers of people with an agent."""

import pytest

from shared.values.evolve import evolve
from shared.values.trust import NAME_BYTES, AccessList, AdmittedGroup, AdmittedPerson, BlockedPerson, TrustTier
from tests.shared.examples import NOW

OWNER, ANN, BOB, GROUP = 7, 11, 12, -1_002_000_000_001

ANN_IN = AdmittedPerson(id=ANN, name="Ann", since=NOW, by=OWNER)
OUT = BlockedPerson(id=ANN, name="Ann", since=NOW, by=OWNER)
IN_GROUP = AdmittedGroup(chat_id=GROUP, title="Trip", since=NOW, by=OWNER)


def access_list(**fields: object) -> AccessList:
    return AccessList.model_validate({"agent": "lull", "owner": OWNER, **fields})


@pytest.mark.parametrize(
    ("fields", "person", "chat_id", "tier"),
    [
        ({}, OWNER, 0, TrustTier.OWNER),
        ({}, ANN, 0, TrustTier.STRANGER),
        ({"people": {ANN: ANN_IN}}, ANN, 0, TrustTier.KNOWN),
        ({"people": {ANN: ANN_IN}}, BOB, 0, TrustTier.STRANGER),
        ({"groups": {GROUP: IN_GROUP}}, BOB, GROUP, TrustTier.KNOWN),
        ({"groups": {GROUP: IN_GROUP}}, BOB, BOB, TrustTier.STRANGER),
        ({"people": {ANN: ANN_IN}, "blocked": {ANN: OUT}}, ANN, 0, TrustTier.BLOCKED),
        ({"groups": {GROUP: IN_GROUP}, "blocked": {ANN: OUT}}, ANN, GROUP, TrustTier.BLOCKED),
        ({"blocked": {OWNER: OUT}}, OWNER, 0, TrustTier.OWNER),
    ],
)
def test_the_tier_of_a_person(fields: dict[str, object], person: int, chat_id: int, tier: TrustTier) -> None:
    assert access_list(**fields).tier_of(person, chat_id) is tier


def test_a_fellow_of_a_group_is_known_unless_blocked() -> None:
    assert access_list().tier_of(BOB, BOB, is_fellow=True) is TrustTier.KNOWN
    assert access_list(blocked={ANN: OUT}).tier_of(ANN, ANN, is_fellow=True) is TrustTier.BLOCKED


def test_nobody_owns_what_is_not_claimed() -> None:
    unclaimed = AccessList(agent="lull")
    assert not unclaimed.is_claimed
    assert unclaimed.tier_of(0) is TrustTier.STRANGER  # people who hide their account have the id 0


def test_long_names_are_cut_and_access_lists_are_read_again_as_they_were() -> None:
    kept = access_list(people={ANN: evolve(ANN_IN, name="a")}, groups={GROUP: IN_GROUP}, blocked={ANN: OUT})
    assert AccessList.model_validate(kept.model_dump()) == kept
    for letter in "xж中😀":
        name = AdmittedPerson(id=ANN, name=letter * 300, since=NOW, by=OWNER).name
        assert name == letter * (NAME_BYTES // len(letter.encode()))
