"""Files in a prompt, in addition to its texts."""

import pytest
from pydantic import ValidationError

from shared.values.evolve import evolve
from shared.values.prompt import Attachment, Prompt, PromptTurn, TurnRole

PICTURE = Attachment(mime_type="image/jpeg", content=b"\xff\xd8secret")


def test_the_bytes_are_in_no_representation() -> None:
    prompt = Prompt(system="s", turns=(PromptTurn(role=TurnRole.USER, parts=("hi",), attached=(PICTURE,)),))
    for shown in (repr(PICTURE), str(PICTURE), repr(prompt), str(prompt)):
        assert "image/jpeg" in shown
        assert "secret" not in shown


def test_an_attachment_stays_as_it_is() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        PICTURE.content = b"other"
    assert Attachment(mime_type="image/jpeg", content=b"\xff\xd8secret") == PICTURE
    assert Attachment(mime_type="image/jpeg", content=b"other") != PICTURE


def test_attachments_count_for_no_character_and_are_told_of_all_turns() -> None:
    bare = PromptTurn(role=TurnRole.USER, parts=("hi",))
    turn = evolve(bare, attached=(PICTURE,))
    assert turn.characters == bare.characters
    sound = Attachment(mime_type="audio/ogg", content=b"OggS")
    prompt = Prompt(system="s", turns=(turn,)).with_turns(PromptTurn(role=TurnRole.USER, attached=(sound,)))
    assert prompt.attached == (PICTURE, sound)


def test_a_prompt_without_its_files_says_that_they_are_not_shown() -> None:
    marked = PromptTurn(
        role=TurnRole.USER,
        parts=("hi", "[attached: a]", "[attached: b]", "now"),
        attached=(PICTURE,) * 3,
        attached_at=(2, 2, 3),
    )
    unseen = ", which cannot be shown to you: say so, and guess nothing about it]"
    bare = PromptTurn(role=TurnRole.USER, parts=("hi", f"[attached: a{unseen}", f"[attached: b{unseen}", "now"))
    assert Prompt(system="s", turns=(bare, marked)).without_files() == Prompt(system="s", turns=(bare, bare))
