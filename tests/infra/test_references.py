"""What is wrong of a reference, a condition, a collection, a filter and a right."""

import pytest

from tests.infra.mutants.mutations import mutated_hcl


@pytest.mark.parametrize(
    ("text", "kind", "wrong"),
    [
        ("a = local.x\nb = local.y\n", "renamed (local.x)", "a = local.y\nb = local.y\n"),
        ('a = "${local.x}"\nb = local.y\n', "renamed (local.x)", 'a = "${local.y}"\nb = local.y\n'),
        ('a = "x=1 AND y=2 AND z=3"\n', "clause 2 removed", 'a = "x=1 AND z=3"\n'),
        ('a = "x=1 AND y=2 AND z=3"\n', "clause 1 removed", 'a = "y=2 AND z=3"\n'),
        ('a = "x=\\"stored\\" AND y"\n', "misspelt (stored)", 'a = "x=\\"storedx\\" AND y"\n'),
        ("a = [for x in y : x if x.ok]\n", "negated", "a = [for x in y : x if !(x.ok)]\n"),
        (
            "a = google_x.p.email\nb = google_y.q.email\n",
            "exchanged (google_x.p.email, google_y.q.email)",
            "a = google_y.q.email\nb = google_y.q.email\n",
        ),
        ("a = google_x.p.email\n", "exchanged (google_x.p.email, google_x.p.member)", "a = google_x.p.member\n"),
        (
            "a = var.delete_data\nb = var.name\nc = var.paused\n",
            "exchanged (var.delete_data, var.paused)",
            "a = var.paused\nb = var.name\nc = var.paused\n",
        ),
        ('a = x.y["p"]\nb = z["q"]\n', "exchanged (p, q)", 'a = x.y["q"]\nb = z["q"]\n'),
        ("a = x.y || z\n", "clause 1 removed", "a = z\n"),
        ("a = x.y || z\n", "clause 2 removed", "a = x.y\n"),
        ("a = x ? 1 : 2\n", "always the second", "a = 2\n"),
        ('a = ["x", "y"]\n', "emptied", "a = []\n"),
        ("a = { x = 1, y = 2 }\n", "emptied", "a = {}\n"),
    ],
)
def test_it_is_wrong_in_this_way(text: str, kind: str, wrong: str) -> None:
    assert {mutation.kind: mutation.text for mutation in mutated_hcl("x.tf", text)}[kind] == wrong


def test_the_rights_of_a_file_are_exchanged() -> None:
    one, other = (
        f'resource "google_{kind}_iam_member" "{name}" {{\n  role   = "roles/{name}"\n  member = x.{name}.member\n}}\n'
        for kind, name in (("project", "a"), ("storage_bucket", "b"))
    )
    wrong = {mutation.name: mutation.text for mutation in mutated_hcl("x.tf", one + other)}
    swapped = wrong[
        "x.tf: resource google_project_iam_member a/role exchanged with resource google_storage_bucket_iam_member b"
    ]
    assert swapped == (one + other).replace("roles/a", "roles/_").replace("roles/b", "roles/a").replace("/_", "/b")
    assert any("a/member exchanged with" in name for name in wrong)
