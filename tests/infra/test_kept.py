"""What an earlier run found is not judged again, until infra changes."""

from pathlib import Path

from tests.infra.pinning.kept import Kept
from tests.infra.pinning.mutations import Mutation


def test_what_was_found_is_kept_until_infra_changes(tmp_path: Path) -> None:
    infra, file = tmp_path / "infra", tmp_path / "build" / "mutants.jsonl"
    infra.mkdir()
    (infra / "queues.tf").write_text("a = 1\n")
    found, other = Mutation("queues.tf", "a", "doubled", "a = 2\n"), Mutation("queues.tf", "a", "removed", "\n")
    Kept(file, infra).add(found, "a is 2, not 1")
    assert found in Kept(file, infra)
    assert other not in Kept(file, infra)
    assert Mutation("modules/queue/main.tf", "a", "doubled", "a = 2\n") not in Kept(file, infra)
    (infra / "queues.tf").write_text("a = 3\n")
    assert found not in Kept(file, infra)
