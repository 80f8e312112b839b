import os
from pathlib import Path
from threading import Event, Thread

from local.persona_watch import PersonaWatch


def has_changed(watch: PersonaWatch) -> bool:
    """Whether something changed, once nothing does any more."""
    return watch.has_changed() or watch.has_changed()


def test_what_is_taken_away_and_written_anew_is_one_change(tmp_path: Path) -> None:
    persona = tmp_path / "agent.md"
    persona.write_text("Be kind.")
    watch = PersonaWatch([tmp_path])
    persona.unlink()
    assert not watch.has_changed()
    persona.write_text("Be kind, and brief.")
    assert [watch.has_changed() for _ in range(3)] == [False, True, False]


def test_writing_adding_and_removing_are_changes_and_reading_is_none(tmp_path: Path) -> None:
    persona = tmp_path / "lull" / "agent.md"
    persona.parent.mkdir()
    persona.write_text("Be kind.")
    watch = PersonaWatch([tmp_path])
    persona.read_text()
    assert not has_changed(watch)
    os.utime(persona, ns=(0, 0))
    assert has_changed(watch)
    assert not has_changed(watch)
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "chat.md").write_text("Chat.")
    assert has_changed(watch)
    (tmp_path / "lull" / "photos").mkdir()
    for name in ("index.json", "garden.JPG"):  # an error in one of them can be corrected there
        (tmp_path / "lull" / "photos" / name).touch()
        assert has_changed(watch)
    persona.unlink()
    assert has_changed(watch)


def test_a_persona_that_a_link_leads_to_is_watched_and_circles_end(tmp_path: Path) -> None:
    elsewhere, agents = tmp_path / "mine", tmp_path / "agents"
    elsewhere.mkdir()
    (elsewhere / "agent.md").write_text("Be kind.")
    agents.mkdir()
    (agents / "mine").symlink_to(elsewhere)
    for name in ("self", "again"):
        (elsewhere / name).symlink_to(agents)
    watch = PersonaWatch([agents])
    assert not has_changed(watch)
    os.utime(elsewhere / "agent.md", ns=(0, 0))
    assert has_changed(watch)


def test_a_file_that_goes_away_while_it_is_looked_at_ends_nothing(tmp_path: Path) -> None:
    """Editors save like this: a file is replaced by another in a moment."""
    persona, over = tmp_path / "agent.md", Event()

    def edits() -> None:
        while not over.is_set():
            persona.write_text("Be kind.")
            persona.unlink()

    editor = Thread(target=edits)
    editor.start()
    watch = PersonaWatch([tmp_path])
    try:
        for _ in range(2_000):
            watch.has_changed()
    finally:
        over.set()
        editor.join()


def test_other_files_do_not_matter(tmp_path: Path) -> None:
    watch = PersonaWatch([tmp_path, tmp_path / "not-there"])
    for name in (".agent.md.swp", "agent.md~", "4913"):
        (tmp_path / name).touch()
    assert not has_changed(watch)
