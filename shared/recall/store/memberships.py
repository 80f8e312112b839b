"""Who was seen in which groups, in Firestore."""

from collections.abc import Sequence

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.chat.store.queries import MEMBERSHIPS_OF_PERSON
from shared.recall.documents.memberships import memberships_in
from shared.values.membership import Membership


class FirestoreMemberships:
    """The memberships of all people. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def of_person(self, agent: str, person: int, limit: int) -> Sequence[Membership]:
        """The groups in which a person was seen, those first in which they were seen last."""
        query = MEMBERSHIPS_OF_PERSON.on(self.client, agent, person).limit(limit)
        with translated("list a person's groups"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return list(memberships_in(found))

    async def keep_checked(self, checked: Membership) -> None:
        """Keep what Telegram said of whether somebody is still there."""
        path = paths.membership_path(checked.key, checked.person)
        fields = {"is_member": checked.is_member, "fresh_until": checked.fresh_until}
        with translated("keep whether somebody is in a group"):
            await self.client.document(path).set(fields, merge=True, retry=RETRY, timeout=CALL_SECONDS)
