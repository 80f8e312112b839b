"""The people who took part in a conversation, for its header and for the metrics."""

from collections.abc import Mapping
from typing import Any, Final

from shared.console.conversations.rows import authors_in
from shared.console.names import names_in
from shared.values.trust import AccessList

#: how many participants are named, those who wrote last first
MOST_NAMED: Final = 20


def participant_ids(fields: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return the ids of everybody who wrote in a conversation, except the agent; None if its document has no ids.

    Documents from before ids were stored may have a map of names by id.
    """
    stored = fields.get("participants")
    if isinstance(stored, Mapping):
        return tuple(int(one) for one in stored if str(one).isdecimal())
    return tuple(one for one in stored if isinstance(one, int)) if isinstance(stored, list) else None


def participants_view(fields: Mapping[str, Any], access_list: AccessList) -> dict[str, Any]:
    """Return the number of participants, and the newest ones whose names are known. Reads nothing from the database.

    `fields` is the conversation's document, and `access_list` belongs to its agent.
    """
    known, ids = {one.id: one.name for one in authors_in(fields)}, participant_ids(fields) or ()
    names = names_in(access_list) | known
    everybody = dict.fromkeys((*known, *reversed(ids)))
    named = [{"id": one, "name": names[one]} for one in everybody if names.get(one)]
    return {"participants": named[:MOST_NAMED], "participant_count": len(everybody)}
