"""What is wrong of a reference, a condition, a collection and a filter."""

import pytest

from tests.infra.pinning.mutations import mutated_hcl


@pytest.mark.parametrize(
    ("text", "kind", "wrong"),
    [
        ("a = local.x\nb = local.y\n", "renamed (local.x)", "a = local.y\nb = local.y\n"),
        ('a = "${local.x}"\nb = local.y\n', "renamed (local.x)", 'a = "${local.y}"\nb = local.y\n'),
        ('a = "x=1 AND y=2 AND z=3"\n', "clause 2 removed", 'a = "x=1 AND z=3"\n'),
        ('a = "x=1 AND y=2 AND z=3"\n', "clause 1 removed", 'a = "y=2 AND z=3"\n'),
        ('a = "x=\\"stored\\" AND y"\n', "misspelt (stored)", 'a = "x=\\"storedx\\" AND y"\n'),
        ("a = [for x in y : x if x.ok]\n", "negated", "a = [for x in y : x if !(x.ok)]\n"),
        ('a = ["x", "y"]\n', "emptied", "a = []\n"),
        ("a = { x = 1, y = 2 }\n", "emptied", "a = {}\n"),
    ],
)
def test_it_is_wrong_in_this_way(text: str, kind: str, wrong: str) -> None:
    assert {mutation.kind: mutation.text for mutation in mutated_hcl("x.tf", text)}[kind] == wrong
