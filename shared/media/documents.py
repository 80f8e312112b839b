"""Records of the files that people sent: who sent which, where."""

from collections.abc import Iterator
from dataclasses import dataclass

from google.cloud.firestore_v1 import ArrayUnion

from shared.chat.store import layout, paths
from shared.chat.store.writes import Commit, Mode, Record, Write
from shared.values.reference import Reference


@dataclass(frozen=True)
class SentFile(Record):
    """A person's sending of a file, by which what is known of it is found from the person and the chat."""

    reference: Reference

    def writes(self, _: Commit) -> Iterator[Write]:
        """Merge it with what the sender sent before of the same file."""
        yield Write(path=paths.reference_path(self.reference.id), document=sent_again(self.reference), mode=Mode.MERGE)


def sent_again(reference: Reference) -> layout.Document:
    """What the document of a reference is merged with: it names all the messages, and whoever is to be told stays so.

    Of a file that was known when it was sent it says nothing of being open: one that is open must not be closed by it,
    and one that is new is as good as closed. So nothing finds those by `is_open`; their file finds them.
    """
    document = encode_reference(reference) | {"message_ids": ArrayUnion(list(reference.message_ids))}
    origins = document.pop("passed_on_from")
    document |= {"passed_on_from": ArrayUnion(list(origins))} if origins else {}
    if not reference.is_own:
        del document["is_own"]  # an earlier message may be
    if not reference.is_open:
        for name in ("is_open", "is_awaited", "try_at"):
            del document[name]
    elif not reference.is_awaited:
        del document["is_awaited"]  # an earlier message may wait for it
    return document


def encode_reference(reference: Reference) -> layout.Document:
    """A reference's document."""
    return reference.model_dump(mode="python")


def decode_reference(document: layout.Document) -> Reference:
    """The reference. One of a file that was described when it was sent says nothing of being open."""
    told = {"is_open": False, "try_at": document.get("at"), "is_own": is_own(document)}
    return Reference.model_validate(told | document)


def is_own(document: layout.Document) -> bool:
    """Return whether the sender in a reference's document sent the file as their own, and did not only pass it on."""
    return bool(document.get("is_own", not document.get("passed_on_from")))
