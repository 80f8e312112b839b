"""External communications: private chats of an agent with people other than its owner.

For each chat, the page shows the person's trust tier, what they wrote, what was answered, and under which rule. The
owner can decide about the person here, but cannot answer in the agent's place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from shared.access.store.requests import FirestoreAccessRequests, decode_request
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.queries import CONVERSATIONS_OF_KIND
from shared.console.limits import person_limits
from shared.console.people import access_lists_of, name_of, request_view
from shared.console.request import own_agent
from shared.console.route import ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.views.people import number_in
from shared.values.access_request import ADMITTED, AccessRequest, RequestState, request_id
from shared.values.agent import FrontMatter, GroupPolicy, StrangerPolicy
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.message import AnyEntry, Event, Message
from shared.values.trust import NOW, AccessList, AccessRules

#: the conversations that one page looks at, and the entries of one person's page
PAGE: Final = 25
ENTRIES: Final = 60
#: what strangers get in private chats
ANSWER, ASK, IGNORE = "answer", "ask", "ignore"


async def read_external(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of people who wrote to an agent in private, the most recent first.

    A person with several conversations may be listed on several pages. Costs at most 25 reads of conversations and 25
    reads of access requests.
    """
    agent, cursor = own_agent(request, request.path["agent"]), request.query.get("cursor", "")
    query = CONVERSATIONS_OF_KIND.on(services.client, agent, ChatKind.PRIVATE.value)
    query = query.select(["chat", "opening", "last_words", "authors", "updated_at"]).limit(PAGE)
    if cursor:
        query = query.start_after({"updated_at": _moment(cursor)})
    with translate_errors("list external communications"):
        found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
    access_list = await access_lists_of(services).access_list(agent, NOW)
    rows = dict[int, dict[str, Any]]()
    for one in found:
        fields = one.to_dict() or {}
        person = ChatKey.from_id(str(fields.get("chat"))).chat_id
        if person != access_list.owner:
            rows.setdefault(person, {**fields, "conversation": one.id})
    requests = await _requests_of(services, agent, rows)
    last = found[-1].get("updated_at") if len(found) == PAGE else None
    return {
        "items": [_row(access_list, person, fields, requests.get(person)) for person, fields in rows.items()],
        "next": last.isoformat() if last is not None else "",
    }


def _moment(cursor: str) -> datetime:
    try:
        return datetime.fromisoformat(cursor)
    except ValueError:
        raise OutdatedPage("This page of the list is not known. Load the list again.") from None


def _row(
    access_list: AccessList, person: int, fields: Mapping[str, Any], request: AccessRequest | None
) -> Mapping[str, Any]:
    last = fields.get("last_words") or {}
    said = (last.get("text"), fields.get("opening"), request.words if request is not None else "")
    names = [str(one.get("name", "")) for one in fields.get("authors") or () if one.get("id") == person]
    return {
        "person": str(person),
        "name": name_of(access_list, request, person) or next(iter(names), ""),
        "username": request.username if request is not None else "",
        "tier": access_list.tier_of(person).value,
        "words": next(filter(None, said), ""),
        "is_agents": last.get("is_agent") is True,
        "at": fields["updated_at"].isoformat(),
        "conversation": fields["conversation"],
        "request": request_view(request) if request is not None else None,
    }


async def _requests_of(services: ConsoleServices, agent: str, people: Iterable[int]) -> Mapping[int, AccessRequest]:
    places = {paths.request_path(request_id(ChatKey(agent=agent, chat_id=one))): one for one in people}
    found, documents = dict[int, AccessRequest](), [services.client.document(path) for path in places]
    if not documents:
        return found
    with translate_errors("read access requests"):
        async for one in services.client.get_all(documents, retry=RETRY, timeout=CALL_SECONDS):
            if one.exists:
                found[places[one.reference.path]] = decode_request(one.to_dict() or {})
    return found


async def read_exchange(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the newest messages of a person's private chat, each with the rule by which it was answered or ignored."""
    agent, person = own_agent(request, request.path["agent"]), number_in(request.path["person"])
    key, chats = ChatKey(agent=agent, chat_id=person), FirestoreChats(services.project, services.client)
    access_list, asked, seen = await asyncio.gather(
        access_lists_of(services).access_list(agent, NOW),
        FirestoreAccessRequests(services.client).find(request_id(key)),
        chats.see(key),
    )
    # the owner's own chat is shown as a conversation
    if seen.version is None or person == request.owner:
        raise NotFound
    entries = await chats.window(seen.chat, ENTRIES)
    return {
        "person": str(person),
        "name": name_of(access_list, asked, person) or _name_in(entries, person),
        "username": asked.username if asked is not None else "",
        "tier": access_list.tier_of(person).value,
        "request": request_view(asked) if asked is not None else None,
        "conversation": seen.chat.conversation,
        "entries": list(_entry_views(entries, access_list, person)),
        "is_shortened": seen.chat.talk.seq > len(entries),
    }


def _name_in(entries: Sequence[AnyEntry], person: int) -> str:
    said = (one.author.name for one in reversed(entries) if isinstance(one, Message) and one.author.id == person)
    return next(said, "")


def _entry_views(entries: Sequence[AnyEntry], access_list: AccessList, person: int) -> Iterable[Mapping[str, Any]]:
    state = ""
    for one in entries:
        if isinstance(one, Event) and one.kind == ADMITTED:
            state = one.note.rpartition(": ")[2]
            yield {"kind": "decision", "at": one.at.isoformat(), "state": state}
        elif isinstance(one, Message) and not one.is_service:
            is_agent = one.author.is_agent
            yield {
                "kind": "agent" if is_agent else "person",
                "at": one.at.isoformat(),
                "text": one.text,
                "media": one.media,
                "rule": "" if is_agent else _rule_of(one.decision, state, access_list, person),
                "reason": one.decision.reason if one.decision is not None else "",
            }


def _rule_of(decision: Decision | None, state: str, access_list: AccessList, person: int) -> str:
    """Return the id of the rule under which a message was answered or left unanswered.

    An answer does not store its rule, so the rule is derived from the owner's earlier decisions about the person.
    """
    if decision is None:
        return "none"
    if decision.tier is DecisionTier.ACCESS:
        return "answered_later" if state in {RequestState.LET_IN, RequestState.ONCE} and decision.respond else "refused"
    if not decision.respond:
        return "silent"
    if state == RequestState.ONCE:
        return "once"
    return "known" if person in access_list.people or state == RequestState.LET_IN else "open"


def rules_view(services: ConsoleServices, access_list: AccessList, front: FrontMatter) -> Mapping[str, Any]:
    """Return the rules for strangers and groups: the persona's, and those that the owner set instead ("" if none).

    The result also has the rule for members of admitted groups, and the spending limits for one person by trust tier.
    """
    own = access_list.rules
    return {
        "id": access_list.agent,
        # the deployment answers everybody, whatever the rules say
        "is_open": services.is_open,
        "private": {
            "persona": private_rule(front.open, front.strangers),
            "own": "" if own.open is None else private_rule(own.open, own.strangers or front.strangers),
        },
        "groups": {"persona": front.groups.value, "own": own.groups.value if own.groups is not None else ""},
        "fellows": own.fellows,
        "limits": person_limits(services.spending(), access_list),
    }


def private_rule(is_open: bool, strangers: StrangerPolicy) -> str:
    """Return what the agent does if a stranger writes in private: it answers, asks the owner, or does nothing."""
    if is_open:
        return ANSWER
    return IGNORE if strangers is StrangerPolicy.IGNORE else ASK


def parse_rules(private: object, groups: object, fellows: object) -> AccessRules:
    """Return the rules that the owner chose. "" keeps the persona's rule. Raises BadRequest."""
    is_known = private in {"", ANSWER, ASK, IGNORE} and groups in {"", *GroupPolicy}
    if not is_known or not isinstance(fellows, bool):
        raise OutdatedPage("This rule is not known.")
    chosen = {ASK: StrangerPolicy.ESCALATE, IGNORE: StrangerPolicy.IGNORE}
    return AccessRules(
        open=None if private == "" else private == ANSWER,
        strangers=chosen.get(str(private)),
        groups=GroupPolicy(str(groups)) if groups else None,
        fellows=fellows,
    )


async def read_rules(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the rules and limits for each trust tier, of each of the owner's agents."""
    lists, fronts = access_lists_of(services), services.fronts
    return {
        "agents": [
            {"name": fronts[agent].name, **rules_view(services, await lists.access_list(agent, NOW), fronts[agent])}
            for agent in sorted(request.agents)
            if agent in fronts
        ]
    }


async def change_rules(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Store the rules that the owner chose."""
    agent = own_agent(request, request.path["agent"])
    body = request.body
    rules = parse_rules(body.get("private", ""), body.get("groups", ""), body.get("fellows"))
    async with services.record_change(request, "change rules", agent):
        await access_lists_of(services).set_rules(agent, rules)
    return await read_rules(services, request)


ROUTES = (
    ConsoleRoute("GET", "/api/external/rules", read_rules),
    ConsoleRoute("POST", "/api/external/{agent}/rules", change_rules),
    ConsoleRoute("GET", "/api/external/{agent}/people", read_external),
    ConsoleRoute("GET", "/api/external/{agent}/people/{person}", read_exchange),
)
