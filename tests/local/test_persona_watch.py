import os
from pathlib import Path

from local.persona_watch import PersonaWatch


def test_writing_adding_and_removing_are_changes_and_reading_is_none(tmp_path: Path) -> None:
    persona = tmp_path / "lull" / "agent.md"
    persona.parent.mkdir()
    persona.write_text("Be kind.")
    watch = PersonaWatch([tmp_path])
    persona.read_text()
    assert not watch.changed()
    os.utime(persona, ns=(0, 0))
    assert watch.changed()
    assert not watch.changed()
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "chat.md").write_text("Chat.")
    assert watch.changed()
    (tmp_path / "lull" / "photos").mkdir()
    for name in ("index.json", "garden.JPG"):  # a broken one of them is mended there
        (tmp_path / "lull" / "photos" / name).touch()
        assert watch.changed()
    persona.unlink()
    assert watch.changed()


def test_other_files_do_not_matter(tmp_path: Path) -> None:
    watch = PersonaWatch([tmp_path, tmp_path / "not-there"])
    for name in (".agent.md.swp", "agent.md~", "4913"):
        (tmp_path / name).touch()
    assert not watch.changed()
