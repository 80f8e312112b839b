"""Look up values that messages do not contain: the number of members, the person's profile, and the agent's owner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from shared.base.errors import ChannelError, ChannelRefused
from shared.base.logs import log
from shared.chat.store.people import MemberCount, PersonProfile
from shared.llm.ports.world import MessagingChannel
from shared.planning.prompt.origins import SUMMARY
from shared.planning.prompt.scene import Scene, asker, meanings
from shared.recall.store.summaries import ChatSummary, SummarySpan
from shared.reminders.times.zone_guess import guessed_zone
from shared.reminders.times.zones import first_zone
from shared.tasks.registry import traits_of
from shared.values.origin import Passage, TextOrigin, TextSource
from shared.values.trust import AccessList

if TYPE_CHECKING:
    from shared.chat.store.access_lists import FirestoreAccessLists
    from shared.chat.store.people import FirestoreEntities, FirestorePeople
    from shared.media.stickers import OwnStickers
    from shared.recall.store.summaries import FirestoreSummaries

#: the time for which Telegram's member count is cached; and below, the time for which a refusal is cached
FRESH = timedelta(minutes=5)
FRESH_REFUSAL = timedelta(hours=1)
#: the time for which a chat's summaries are cached, unless somebody's data is erased there, since summaries are days
#: old anyway; and below, the number of chats for which they are cached
FRESH_SUMMARIES = timedelta(minutes=5)
MOST_SUMMARISED = 500
#: the members of a private chat as Telegram counts them: the person and the agent
PRIVATE_MEMBERS = 2
#: the maximum number of blocked people that are listed for the owner
MOST_BLOCKED = 20
#: the number of claims before which a chat has no summary, so that none is looked up
FIRST_SUMMARISED = 12


@dataclass(frozen=True, kw_only=True)
class SceneLookup:
    """Completes a scene, the input of a prompt, with values from Telegram and Firestore that no message contains."""

    channel: MessagingChannel
    entities: FirestoreEntities
    people: FirestorePeople
    access_lists: FirestoreAccessLists
    #: the stickers that the agent may send; None if it may send none
    stickers: OwnStickers | None = None
    #: the summaries of earlier conversations; None if prompts show none
    summaries: FirestoreSummaries | None = None
    #: the default zone of people who have set no zone; if empty, the likeliest zone for their language is used
    zone: str = ""
    #: by chat: when its cached summaries expire, the chat's last erasure when they were read, and their texts
    _digests: dict[str, tuple[datetime, datetime | None, Sequence[Passage]]] = field(default_factory=dict, init=False)

    async def complete(self, scene: Scene) -> Scene:
        """Return the scene with the values that its prompts use. Values that the prompts do not use are not read.
        Raises StoreUnavailable or StoreRefused.
        """
        used = meanings(scene).keys()
        if self.summaries is not None and scene.chat.claim.generation >= FIRST_SUMMARISED:
            digests = await self._shown_summaries(self.summaries, scene)
            scene = replace(scene, earlier=replace(scene.earlier, digests=digests))
        if "membercount" in used:
            count = await self._member_count(scene)
            scene = replace(scene, people=replace(scene.people, member_count=count))
        if self.stickers is not None and scene.offer.sends_stickers:
            scene = _with_stickers(scene, await self.stickers.prompt_list())
        person = asker(scene)
        if person is not None:
            scene = _with_owner(scene, await self.access_lists.access_list(scene.agent.id), person.id)
        if person is None or not ("user_pronouns" in used or scene.offer.schedules):
            return scene
        return _as_told(scene, await self.people.profile(person.id), self.zone)

    async def _shown_summaries(self, summaries: FirestoreSummaries, scene: Scene) -> Sequence[Passage]:
        chat, erased_at = scene.chat.key.id, scene.chat.privacy.erased_at
        until, known_at, digests = self._digests.get(chat, (scene.now, erased_at, ()))
        if until <= scene.now or known_at != erased_at:
            digests = _passages(await summaries.shown_summaries(chat), scene.zone)
            if len(self._digests) >= MOST_SUMMARISED:
                self._digests.clear()
            self._digests[chat] = scene.now + FRESH_SUMMARIES, erased_at, digests
        return digests

    async def _member_count(self, scene: Scene) -> int | None:
        """Return the number of members; None if Telegram refuses. During an outage, return the cached number."""
        if scene.chat.kind.is_of_one:
            return PRIVATE_MEMBERS
        key = scene.chat.key
        known = await self.entities.member_count(key)
        if known is not None and scene.now < known.fresh_until:
            return known.count
        try:
            found = await self._ask_member_count(key.chat_id, scene.now)
        except ChannelError as error:
            log(f"the number of a chat's members cannot be looked up: {error}")
            return known.count if known is not None else None
        await self.entities.keep_member_count(key, found)
        return found.count

    async def _ask_member_count(self, chat_id: int, now: datetime) -> MemberCount:
        try:
            count = await self.channel.member_count(chat_id)
        except ChannelRefused as refusal:
            log(f"Telegram did not give the number of a chat's members: {refusal}")
            return MemberCount(count=None, fresh_until=now + FRESH_REFUSAL)
        return MemberCount(count=count, fresh_until=now + FRESH)


def _with_stickers(scene: Scene, listed: str) -> Scene:
    """Return the scene with the list of stickers. If the list is empty, remove the kinds of task that send stickers."""
    if listed:
        return replace(scene, stickers=listed)
    left = [kind for kind in scene.agent.kinds if not traits_of(kind).uses.stickers]
    return replace(scene, agent=scene.agent.only(left, scene.agent.tools))


def _as_told(scene: Scene, told: PersonProfile, usual: str) -> Scene:
    """Return the scene with the pronouns and the time zone of the person answered. In a private chat all times are in
    that zone; in a group, the group's zone is kept as well. `usual`: the zone of people whose own zone is unknown.
    """
    zones, zone = scene.zones, first_zone(told.zone, scene.zones.timezone)
    if not (told.zone or scene.chat.locale.group_zone):
        # a zone that the owner set for the agent is better than a guess by language
        guess = usual or guessed_zone(scene.chat.locale.spoken_language, scene.chat.locale.last_language)
        zones, zone = replace(zones, is_zone_guessed=True), (guess if zone == "UTC" else zone) or zone
    if scene.chat.kind.is_of_one:
        zones = replace(zones, timezone=zone)
    else:
        zones = replace(zones, asker_timezone=zone if zone != zones.timezone else "")
    return replace(scene, zones=zones, people=replace(scene.people, pronouns=told.pronouns))


def _passages(shown: Mapping[SummarySpan, ChatSummary], zone: tzinfo) -> Sequence[Passage]:
    """Return the summaries as passages; the summary of the longest period comes first."""
    return tuple(_digest(shown[span], span, zone) for span in (SummarySpan.MONTH, SummarySpan.WEEK) if span in shown)


def _digest(summary: ChatSummary, span: SummarySpan, zone: tzinfo) -> Passage:
    is_outside = summary.holds_outside
    source = TextSource(origin=TextOrigin.OUTSIDE, what=SUMMARY) if is_outside else TextSource(origin=TextOrigin.AGENT)
    made = summary.made_at.astimezone(zone)
    title = f"summary: what was said here in the {span.length.days} days up to {made:%Y-%m-%d}"
    return Passage(text=summary.text, source=source, title=title)


def _with_owner(scene: Scene, access_list: AccessList, person: int) -> Scene:
    """Return the scene with the agent's owner. Blocked people are listed only for the owner, in private."""
    is_told = scene.chat.key.is_private and person == access_list.owner and scene.offer.names_blocked
    newest = sorted(access_list.blocked.values(), key=lambda one: one.since, reverse=True) if is_told else ()
    people = replace(scene.people, owner=access_list.owner, blocked=tuple(newest[:MOST_BLOCKED]))
    return replace(scene, people=people)
