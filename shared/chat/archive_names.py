"""Where a conversation lies in an archive: `conversations/2026/conv-….jsonl`, by the year in which it began.

That somebody was forgotten lies below the same folder, to which alone the role of another cloud may write.
"""

import re
from datetime import datetime

from ulid import ULID

FOLDER = "conversations/"
UNDATED = "undated"
DELETIONS = f"{FOLDER}erasures/"
DOCUMENTS = f"{FOLDER}documents/"
_DOCUMENTS = re.compile(r"(?:^|/)documents/[^/]+\.jsonl$")
_DELETION = re.compile(r"(?:^|/)erasures/[^/]+\.jsonl$")
_NAME = re.compile(r"(?:^|/)(?P<conversation>conv-[^/]+)\.jsonl$")


def began_at(conversation: str) -> datetime | None:
    """When a conversation began, as its id tells; none if it does not."""
    try:
        return ULID.from_str(conversation.removeprefix("conv-")).datetime
    except ValueError:
        return None


def name_of(conversation: str) -> str:
    """Its name in an archive."""
    began = began_at(conversation)
    return f"{FOLDER}{f'{began:%Y}' if began else UNDATED}/{conversation}.jsonl"


def conversation_of(name: str) -> str | None:
    """The conversation whose transcript has this name, in whatever folder; none for any other file."""
    found = _NAME.search(name)
    return found["conversation"] if found else None


def deletion_name_of(deletion: str) -> str:
    """The name in an archive of what tells of a deletion, by its id."""
    return f"{DELETIONS}{deletion}.jsonl"


def is_deletion(name: str) -> bool:
    """Whether the file of this name tells of a deletion, in whatever folder."""
    return _DELETION.search(name) is not None


def documents_name_of(collection: str) -> str:
    """Return the name in an archive of all documents of a collection."""
    return f"{DOCUMENTS}{collection.replace('/', '-')}.jsonl"


def is_documents(name: str) -> bool:
    """Return whether the file of this name holds documents of a collection, in whatever folder."""
    return _DOCUMENTS.search(name) is not None
