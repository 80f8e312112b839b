"""File names in an archive: `conversations/2026/conv-….jsonl`, by the year in which a conversation began.

Files of deletions and documents are in `conversations/` too, the only folder that lull's AWS roles may access.
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
    """Return the time at which a conversation began, which its id contains; None if the id contains no time."""
    try:
        return ULID.from_str(conversation.removeprefix("conv-")).datetime
    except ValueError:
        return None


def name_of(conversation: str) -> str:
    """Return the path of a conversation's file in an archive. If the id contains no time, the folder is `undated`."""
    began = began_at(conversation)
    return f"{FOLDER}{f'{began:%Y}' if began else UNDATED}/{conversation}.jsonl"


def conversation_of(name: str) -> str | None:
    """Return the id of the conversation whose file has this name, in any folder; None for any other file."""
    found = _NAME.search(name)
    return found["conversation"] if found else None


def deletion_name_of(deletion: str) -> str:
    """Return the path of a deletion's file in an archive."""
    return f"{DELETIONS}{deletion}.jsonl"


def is_deletion(name: str) -> bool:
    """Return whether this is the name of a deletion's file, in any folder."""
    return _DELETION.search(name) is not None


def documents_name_of(collection: str) -> str:
    """Return the name of the file that holds all documents of a collection."""
    return f"{DOCUMENTS}{collection.replace('/', '-')}.jsonl"


def is_documents(name: str) -> bool:
    """Return whether this is the name of a file that holds the documents of a collection, in any folder."""
    return _DOCUMENTS.search(name) is not None
