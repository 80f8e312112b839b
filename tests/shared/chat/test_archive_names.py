"""File names in an archive."""

from datetime import UTC, datetime

import pytest

from shared.chat.archive_names import FOLDER, began_at, conversation_of, deletion_name_of, is_deletion, name_of

CONVERSATION = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"


def test_a_conversation_lies_in_the_year_in_which_it_began() -> None:
    assert began_at(CONVERSATION) == datetime(2024, 3, 1, 18, 7, 5, 968000, tzinfo=UTC)
    assert name_of(CONVERSATION) == f"conversations/2024/{CONVERSATION}.jsonl"
    assert began_at("conv-of-a-test") is None
    assert name_of("conv-of-a-test") == "conversations/undated/conv-of-a-test.jsonl"


@pytest.mark.parametrize("folder", ["", "conversations/2024/", "anywhere/else/"])
def test_a_name_tells_its_conversation_wherever_it_lies(folder: str) -> None:
    assert conversation_of(f"{folder}{CONVERSATION}.jsonl") == CONVERSATION


@pytest.mark.parametrize("name", ["chats.jsonl", f"{CONVERSATION}.json", f"{CONVERSATION}.jsonl/x", "conv-.jsonl~"])
def test_other_files_are_no_conversations(name: str) -> None:
    assert conversation_of(name) is None


def test_a_deletion_lies_where_another_clouds_role_may_write_and_is_no_conversation() -> None:
    name = deletion_name_of("0123abc")
    assert name.startswith(FOLDER)
    assert is_deletion(name)
    assert is_deletion("erasures/0123abc.jsonl")
    assert not is_deletion(name_of(CONVERSATION))
    assert conversation_of(name) is None
