"""Answers of the console for the picture in the README: three people and lull plan a day at the sea."""

from datetime import UTC, datetime, timedelta
from typing import Any

NOW = datetime(2026, 11, 27, 18, 12, tzinfo=UTC)
OPEN = "conv-01JDQ5W2GZ"
ANSWER = "Saturday. Ben is free, and the forecast says sun from noon on. Shall I remind you in the morning?"


def _at(minutes_ago: int) -> str:
    return (NOW - timedelta(minutes=minutes_ago)).isoformat()


def _row(id_: str, who: str, title: str | None, minutes_ago: int, last: tuple[str, str], **more: Any) -> dict[str, Any]:
    by, text = last
    told = {"at": _at(minutes_ago), "by": by, "is_agent": by == "lull", "text": text}
    return {
        "id": id_, "agent": "lull", "chat": "c", "channel": "telegram", "kind": "private", "who": who, "title": title,
        "is_named": False, "opening": "", "topics": [], "last": told, "updated": _at(minutes_ago), "turns": 4,
        "entries": 12, "unread": 0, "cost": 0.0042, "is_cost_partial": False, "tier": "known", "is_external": False,
        "is_current": True,
    } | more  # fmt: skip


ROWS = [
    _row(
        OPEN, "Ann, Ben, Cleo", "A day at the sea", 2, ("lull", ANSWER), kind="supergroup", unread=2, cost=0.0123,
        topics=["weekend", "weather"],
    ),
    _row("c2", "You", "Notes for the talk", 34, ("lull", "The three points are in order now."), channel="web"),
    _row("c3", "Olga", "Tomatoes in pots", 125, ("Olga", "And how much water in August?"), unread=1),
    _row("c4", "Garden club", "Who brings the ladder", 400, ("Marta", "I can, it is in my shed"), kind="supergroup"),
    _row("c5", "Ben", "Trains to Lisbon", 1500, ("lull", "The 9:41 arrives first."), is_current=False, cost=0.021),
    _row("c6", "Cleo", "Birthday cake", 3100, ("Cleo", "Perfect, thank you!"), is_current=False),
    _row("c7", "Olga", None, 7400, ("Olga", "Hello"), is_current=False, cost=0.0004),
]  # fmt: skip

_NO_USAGE: dict[str, Any] = {"usage": None, "looked_up": [], "choices": [], "later": [], "plan": ""}


def _said(seq: int, name: str, minutes_ago: int, text: str, **more: Any) -> dict[str, Any]:
    by = {"id": seq, "name": name, "username": "", "is_agent": name == "lull", "is_bot": name == "lull"}
    return {
        "type": "message", "seq": seq, "at": _at(minutes_ago), "id": seq, "by": by, "text": text, "entities": [],
        "media": "", "files": [], "reply": None, "forwarded_from": "", "role": "turn", "turn": 1, "decision": None,
        "holds_outside": False, "edits": [], "reactions": [],
    } | _NO_USAGE | more  # fmt: skip


def _decision(respond: bool, tier: str, reason: str) -> dict[str, Any]:
    return {"respond": respond, "tier": tier, "reason": reason, "ms": 0, "until": "", "recalled": None}


ITEMS = [
    _said(
        1, "Ann", 9, "Shall we go to the sea on Friday or Saturday?",
        decision=_decision(False, "none", "said to nobody in particular"),
    ),
    _said(
        2, "Ben", 7, "Saturday, I have to work until late on Friday",
        decision=_decision(False, "none", "said to Ann"),
    ),
    _said(3, "Cleo", 3, "lull, what do you say?", decision=_decision(True, "explicit", "its name")),
    _said(
        4, "lull", 2, ANSWER, plan="p1", choices=["Yes, please", "No"],
        entities=[{"type": "bold", "offset": 0, "length": 9}],
        looked_up=["asked for the weather in Cascais: 3 days"],
        usage={
            "models": ["gemini-3.8-flash"], "calls": 2, "input": 3120, "cached": 2048, "thoughts": 210, "output": 84,
            "searches": 0, "ms": 2300, "cost": 0.0021, "problems": [],
        },
    ),
    _said(5, "Ann", 1, "Yes, please", decision=_decision(True, "explicit", "a choice")),
]  # fmt: skip

HEADER = ROWS[0] | {
    "created": _at(60), "model": "gemini-3.8-flash", "muted_until": "", "is_running": False, "trouble": "",
    "models": [{"id": "gemini-3.8-flash", "label": "gemini-3.8-flash"}], "offers": [],
    "participant_count": 3,
    "participants": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Ben"}, {"id": 3, "name": "Cleo"}],
    "pending": [
        {"id": "2", "kind": "remind", "text": "Good morning! Noon, at the harbour.", "is_own": False,
         "not_before": (NOW + timedelta(hours=13)).isoformat()}
    ],
    "abbreviation": {"text": "", "state": "none", "at": "", "due": "", "is_due": False, "failures": 0, "through": 0},
}  # fmt: skip

ANSWERS: dict[str, Any] = {
    "GET /api/session": {"owner": 1, "agents": ["lull"], "language": "en", "project": "p", "now": NOW.isoformat()},
    "GET /api/conversations": {"items": ROWS, "next": ""},
    f"GET /api/conversations/{OPEN}": {"header": HEADER, "items": ITEMS, "next": "", "paged": len(ITEMS), "first": 0},
    f"GET /api/conversations/{OPEN}/marks": {"items": []},
    f"POST /api/conversations/{OPEN}/look": {},
}
