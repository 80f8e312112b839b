"""The checked permissions are those that the Terraform needs, and no others."""

import re

from infra.bundle import ROOT
from operations.deployment.permissions import ON_BILLING_ACCOUNT, ON_PROJECT, PROJECT_PERMISSIONS, WITH_THE_BUCKET


def test_there_is_a_permission_for_each_kind_of_resource() -> None:
    written = [file for file in (ROOT / "infra").rglob("*.tf") if not {"aws", "tests"} & set(file.parts)]
    kinds = {
        kind for file in written for kind in re.findall(r'^resource "(google_\w+)"', file.read_text(), re.MULTILINE)
    }
    assert kinds == {*ON_PROJECT, *ON_BILLING_ACCOUNT, *WITH_THE_BUCKET}


def test_each_is_spelled_as_google_spells_one() -> None:
    for name in (*PROJECT_PERMISSIONS, *ON_BILLING_ACCOUNT.values()):
        assert re.fullmatch(r"[a-z]+\.[a-zA-Z]+\.[a-zA-Z]+", name), name
