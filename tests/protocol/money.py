"""The possible worlds of one day's money: chats and jobs that borrow slices of it, crashes, stalls, and midnight.

This is the order of steps in `shared/spending/` and nothing else: one account with the limit, or several with a part of
it each; a call costs one unit, and a slice has up to two. Each step is one request; any other step may happen between
two of them.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple

#: wrong designs, each of which the search must find
BREAKS = (
    "writes blindly",
    "calls before it records",
    "records no reservation",
    "settles what is open",
    "settles what is gone",
    "drops what others may record",
    "turns the day back",
    "gives a dead job's back",
    "keeps what nobody recorded",
    "asks nobody",
    "forgets whom it asked in vain",
    "says that it tells before it does",
    "settles where it asks",
    "counts what the first has spent alone",
)
#: the most units of one slice
SLICE = 2


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The limits of the search."""

    limit: int = 3
    #: ticks of each chat
    ticks: tuple[int, ...] = (2, 1)
    jobs: int = 0
    crashes: int = 0
    #: chats or slices of jobs that are taken from a living process
    stalls: int = 0
    has_midnight: bool = False
    #: whether a tick waits, and makes others give back their money, when they have the rest of it
    waits: bool = False
    #: whether the owner is told once half of the limit is spent
    tells: bool = False
    #: the number of accounts, each with a part of the limit; and the sums that the first spent, and lent to the first
    #: chat,
    #: while it was the only account
    shards: int = 1
    spent: int = 0
    lent: int = 0
    broken: str = ""


class Slice(NamedTuple):
    """An allowance in an account; `chat` is -1 for a job."""

    id: int
    chat: int
    units: int
    day: int
    generation: int = 0  #: the claim of its chat at the time of the loan


class Held(NamedTuple):
    """An allowance in a chat's document; `shard` is the account that lent it."""

    id: int
    units: int
    day: int
    shard: int = 0
    used: int = 0
    reserved: int = 0


class Account(NamedTuple):
    """An account's document."""

    version: int = 0
    label: int = 0  #: the day of its sum
    spent: int = 0
    lent: frozenset[Slice] = frozenset()
    is_told: bool = False  #: whether it records that its owner was told


class Chat(NamedTuple):
    """The parts of a chat's document about money."""

    holder: int = -1  #: the tick that has the lease
    generation: int = 0  #: the number of claims
    open: Held | None = None
    closed: tuple[Held, ...] = ()


class Tick(NamedTuple):
    """One tick of a chat: claim, close, ask, read, lend, record, call, release, look, settle. A job: ask, read, …"""

    id: int
    chat: int
    step: str
    turn: int = 0  #: the number of accounts that refused
    first: int = 0  #: the used sum of the first account when it was read, if another account is asked
    seen: Account = Account()  #: the account that it asks, at the time of reading
    day: int = 0  #: by its own clock
    view: Chat = Chat()  #: the chat's document after this tick's last write
    new: Held | None = None  #: the loan that is not recorded yet
    closed: tuple[Held, ...] = ()  #: loans to give back after the release of the chat
    pays: bool = True  #: whether it has a message to answer
    refused: bool = False  #: whether others have the money
    others: frozenset[int] = frozenset()  #: those others, from the first account with any
    then: str = ""  #: the next step after the owner was told


class World(NamedTuple):
    """The state between two steps."""

    todo: tuple[int, ...]
    jobs: int
    chats: tuple[Chat, ...]
    ticks: tuple[Tick, ...] = ()
    accounts: tuple[Account, ...] = (Account(),)
    # the true payments by day
    paid: tuple[int, int] = (0, 0)
    settled: tuple[int, int] = (0, 0)
    day: int = 0
    ids: int = 0
    crashes: int = 0
    stalls: int = 0
    words: int = 0  #: the number of messages to the owner
    wanted: frozenset[int] = frozenset()  #: chats that must give back their money
    #: waiting chats, with the loans of others at their refusal
    waiting: frozenset[tuple[int, frozenset[Slice]]] = frozenset()

    @property
    def spent(self) -> int:
        """The sum that all accounts have spent."""
        return sum(one.spent for one in self.accounts)

    @property
    def lent(self) -> frozenset[Slice]:
        """The loans of all accounts."""
        return frozenset().union(*(one.lent for one in self.accounts))

    @property
    def is_told(self) -> bool:
        """Whether the accounts record that the owner was told: the first does for all."""
        return self.accounts[0].is_told


def search(bounds: Bounds) -> tuple[str, int]:
    """Search all orders of steps; return the first error or an empty text, and the number of worlds."""
    start = _start(bounds)
    seen, queue = {start}, deque([start])
    while queue:
        world = queue.popleft()
        nexts = list(steps(world, bounds))
        if wrong := _wrong(world, bounds, is_over=not nexts):
            return wrong, len(seen)
        for one in nexts:
            if one not in seen:
                seen.add(one)
                queue.append(one)
    return "", len(seen)


def _start(bounds: Bounds) -> World:
    """Make the first world, with the history of the time when there was one account."""
    lent = frozenset({Slice(0, 0, bounds.lent, 0)} if bounds.lent else ())
    first = Account(spent=bounds.spent, lent=lent)
    had = Chat(open=Held(0, bounds.lent, 0)) if bounds.lent else Chat()
    spent = (bounds.spent, 0)
    return World(
        todo=bounds.ticks,
        jobs=bounds.jobs,
        chats=(had, *(Chat() for _ in bounds.ticks[1:])),
        accounts=(first, *(Account() for _ in range(1, bounds.shards))),
        paid=spent,
        settled=spent,
        ids=1,
    )


def _wrong(w: World, bounds: Bounds, *, is_over: bool) -> str:
    if max(w.paid) > bounds.limit:
        return "overspent"
    if w.words > 1:
        return "told twice"
    if not is_over:
        return ""
    if w.waiting and w.spent < bounds.limit:
        return "kept waiting"
    if w.lent:
        return "lost"
    if w.is_told and not w.words:
        return "told nothing"
    if any(told < paid for told, paid in zip(w.settled, w.paid, strict=True)):
        return "not counted"
    # the loan of a dead process is counted in full
    return "counted twice" if w.settled != w.paid and not w.crashes and not w.stalls else ""


def steps(w: World, bounds: Bounds) -> Iterator[World]:
    """Yield every possible next world."""
    for tick in w.ticks:
        yield from _Step(w, tick, bounds).next()
        if w.crashes < bounds.crashes:
            # its cause wakes another tick
            again = {tick.chat} if bounds.waits and not tick.pays else set()
            yield without(w, tick)._replace(crashes=w.crashes + 1, wanted=w.wanted | again)
    for number, left in enumerate(w.todo):
        if left and _may_claim(w, number, bounds):
            yield _begun(w, number, pays=True)._replace(todo=_put(w.todo, number, left - 1))
    if w.jobs:
        yield with_tick(w, Tick(w.ids, -1, "ask", day=w.day))._replace(jobs=w.jobs - 1, ids=w.ids + 1)
    if bounds.has_midnight and not w.day:
        yield w._replace(day=1)
    yield from _expiries(w, bounds)
    yield from _given_back_for_others(w, bounds)
    yield from _sweeps(w, bounds)


def _may_claim(w: World, number: int, bounds: Bounds) -> bool:
    """Whether a tick may claim a chat: its lease is free, over, or taken from a stalled tick. One claims at a time."""
    at_it = [t for t in w.ticks if t.chat == number and t.step not in {"look", "settle"}]
    return not at_it or (w.stalls < bounds.stalls and len(at_it) == 1 and at_it[0].step != "claim")


def _begun(w: World, number: int, *, pays: bool) -> World:
    stalled = any(t.chat == number and t.step not in {"look", "settle"} for t in w.ticks)
    tick = Tick(w.ids, number, "claim", day=w.day, pays=pays)
    return with_tick(w, tick)._replace(ids=w.ids + 1, stalls=w.stalls + stalled)


def _expiries(w: World, bounds: Bounds) -> Iterator[World]:
    """Yield the worlds after a job's slice expires: it is charged in full, whether the job lives or not."""
    for shard, account in enumerate(w.accounts):
        for one in account.lent:
            if one.chat < 0:
                is_alive = any(t.new is not None and t.new.id == one.id for t in w.ticks)
                if not is_alive or w.stalls < bounds.stalls:
                    charged = 0 if bounds.broken == "gives a dead job's back" else one.units
                    held = Held(one.id, one.units, one.day, shard, charged)
                    yield _given_back(w, held)._replace(stalls=w.stalls + is_alive)


def _given_back_for_others(w: World, bounds: Bounds) -> Iterator[World]:
    """Yield the worlds after a free chat is woken to give money back, and after a waiting chat tries again with it."""
    for number in w.wanted:
        is_busy = any(t.chat == number and t.step not in {"look", "settle"} for t in w.ticks)
        if not is_busy:
            yield _begun(w, number, pays=False)._replace(wanted=w.wanted - {number})
        elif bounds.broken == "forgets whom it asked in vain":
            yield w._replace(wanted=w.wanted - {number})
    for one in w.waiting:
        number, lent = one
        if w.lent != lent and _may_claim(w, number, bounds):
            yield _begun(w, number, pays=True)._replace(waiting=w.waiting - {one})


def _sweeps(w: World, bounds: Bounds) -> Iterator[World]:
    """Yield the worlds after the sweep wakes a chat with an expired slice, when no other step is left.

    By then, waiting chats have given up long ago.
    """
    if any(w.todo) or w.jobs or w.ticks or (w.waiting and w.spent < bounds.limit):
        return
    for one in w.lent:
        if one.chat < 0:
            continue
        if bounds.broken == "keeps what nobody recorded" and one.id not in _recorded(w.chats[one.chat]):
            continue
        yield _begun(w, one.chat, pays=False)


def _recorded(chat: Chat) -> set[int]:
    return {one.id for one in (*chat.closed, *([chat.open] if chat.open else []))}


def _given_back(w: World, held: Held, *, is_blind: bool = False) -> World:
    """Return the world after a slice is settled; a missing slice changes nothing."""
    account = w.accounts[held.shard]
    found = next((one for one in account.lent if one.id == held.id), None)
    if found is None and not is_blind:
        return w
    spent = account.spent + (held.used if held.day == account.label else 0)
    lent = account.lent - {found} if found else account.lent
    settled = _put(w.settled, held.day, w.settled[held.day] + held.used)
    return _changed(w, held.shard, lent=lent, spent=spent)._replace(settled=settled)


def _changed(w: World, shard: int, **fields: Any) -> World:
    """Return the world after an account is written."""
    account = w.accounts[shard]
    return w._replace(accounts=_put(w.accounts, shard, account._replace(**fields, version=account.version + 1)))


class _Step:
    """The next step of a tick or a job: one method for each step."""

    def __init__(self, w: World, tick: Tick, bounds: Bounds) -> None:
        self.w, self.tick, self.broken, self.limit, self.waits = w, tick, bounds.broken, bounds.limit, bounds.waits
        self.tells, self.shards = bounds.tells, bounds.shards

    @property
    def shard(self) -> int:
        """The account that it asks: chats begin with different ones, and continue with the next."""
        return (max(self.tick.chat, 0) + self.tick.turn) % self.shards

    def next(self) -> Iterator[World]:
        yield from getattr(self, self.tick.step)()

    def told(self, w: World, step: str, **more: Any) -> World:
        """Return the world after a loan or a refusal; if half is spent, the owner is told first, once."""
        if not self.tells or w.is_told or w.spent * 2 < self.limit:
            return self.at(step, w, **more) if step else without(w, self.tick)
        if self.broken == "says that it tells before it does":
            w = _changed(w, 0, is_told=True)
        return self.at("tell", w, **more, then=step)

    def tell(self) -> Iterator[World]:
        """Record in the account that the owner is told, and tell them: one compare-and-set, unless another
        was faster.
        """
        w, tick = self.w, self.tick
        if not w.is_told or self.broken == "says that it tells before it does":
            w = _changed(w, 0, is_told=True)._replace(words=w.words + 1)
        yield self.at(tick.then, w, then="", seen=w.accounts[self.shard]) if tick.then else without(w, tick)

    def at(self, step: str, w: World | None = None, **more: Any) -> World:
        return with_tick(without(w or self.w, self.tick), self.tick._replace(step=step, **more))

    def commit(self, step: str, **fields: Any) -> World:
        """Write the chat's document; a tick that lost the chat changes nothing and ends."""
        if self.w.chats[self.tick.chat].holder != self.tick.id:
            return without(self.w, self.tick)
        written = self.tick.view._replace(**fields)
        w = self.w._replace(chats=_put(self.w.chats, self.tick.chat, written))
        return self.at(step, w, view=written, new=None) if step else without(w, self.tick)

    def claim(self) -> Iterator[World]:
        """Take the chat. In the same write, a dead tick's reservation is charged in full and a new one is made."""
        chat, tick = self.w.chats[self.tick.chat], self.tick
        held = chat.open and chat.open._replace(used=chat.open.used + chat.open.reserved, reserved=0)
        fits = held is not None and held.day == tick.day and held.used < held.units and tick.pays
        claimed = chat._replace(holder=tick.id, generation=chat.generation + 1)
        if held is not None and fits:
            yield self.claimed("call", claimed._replace(open=held._replace(reserved=self.reserve)))
        # its time may be over before its money is
        yield self.claimed("close" if held else self.elsewhere(claimed), claimed._replace(open=held))

    def claimed(self, step: str, chat: Chat) -> World:
        """Return the world after this tick has claimed the chat."""
        return self.at(step, self.w._replace(chats=_put(self.w.chats, self.tick.chat, chat)), view=chat)

    @property
    def reserve(self) -> int:
        return 0 if self.broken == "records no reservation" else 1

    def close(self) -> Iterator[World]:
        """Close the slices that are no longer enough, before they are given back."""
        held = self.tick.view.open
        assert held is not None
        closed = (*self.tick.view.closed, held)
        if self.broken == "settles what is open":
            yield self.at("ask", _given_back(self.w, held))
        else:
            yield self.commit(self.elsewhere(self.tick.view._replace(closed=closed)), open=None, closed=closed)

    def elsewhere(self, view: Chat) -> str:
        """Return the step before an account is asked: closed loans of other accounts are settled first."""
        is_else = any(one.shard != self.shard for one in view.closed) and self.broken != "settles where it asks"
        return "settle_elsewhere" if is_else else "ask"

    def settle_elsewhere(self) -> Iterator[World]:
        """Settle closed loans of accounts other than the one to ask."""
        w = self.w
        for one in self.tick.view.closed:
            w = _given_back(w, one) if one.shard != self.shard else w
        yield self.at("ask", w)

    def ask(self) -> Iterator[World]:
        """Read the used sum of the first account, once the only one, before another one is asked."""
        first = self.w.accounts[0]
        label = max(self.tick.day, first.label)
        lent = sum(one.units for one in first.lent if one.day == label)
        used = first.spent if label == first.label else 0
        if self.broken != "counts what the first has spent alone":
            used += lent
        yield self.at("read", first=used if self.shard else 0)

    def read(self) -> Iterator[World]:
        """Read the account."""
        yield self.at("lend", seen=self.w.accounts[self.shard])

    @property
    def part(self) -> int:
        """Return the account's part of the limit: it is smaller if the first has used more than its own part."""
        part = self.limit // self.shards
        return part - ceil(max(0, self.tick.first - part) / max(1, self.shards - 1))

    def lend(self) -> Iterator[World]:
        """Settle closed loans, drop unrecorded ones and borrow a slice, in one compare-and-set."""
        w, tick, is_job, shard = self.w, self.tick, self.tick.chat < 0, self.shard
        if self.broken == "writes blindly":
            w = w._replace(accounts=_put(w.accounts, shard, tick.seen))
        elif tick.seen != w.accounts[shard]:
            yield self.at("read")
            return
        label = tick.day if self.broken == "turns the day back" else max(tick.day, w.accounts[shard].label)
        if label != w.accounts[shard].label:
            w = w._replace(accounts=_put(w.accounts, shard, w.accounts[shard]._replace(label=label, spent=0)))
        w = w if is_job else self._cleared(w)
        lent = w.accounts[shard].lent
        free = self.part - w.accounts[shard].spent - sum(one.units for one in lent if one.day == label)
        units = min(free, 1 if is_job else SLICE)
        if units <= 0 or not tick.pays:
            yield self._refused(_changed(w, shard), label)
            return
        new = Slice(w.ids, tick.chat, units, label, tick.view.generation)
        step = "call" if is_job or self.broken == "calls before it records" else "record"
        w = _changed(w, shard, lent=lent | {new})._replace(ids=w.ids + 1)
        yield self.told(w, step, new=Held(new.id, units, label, shard), turn=0, first=0, others=frozenset())

    def _refused(self, w: World, day: int) -> World:
        """Go on to the next account. After the last one, ask for the loans of others; a job's come back by
        themselves.
        """
        tick, seen = self.tick, w.accounts[self.shard]
        others = tick.others or frozenset(one.chat for one in seen.lent if one.day == day) - {tick.chat}
        if tick.turn + 1 < self.shards:
            return self.at("ask", w, turn=tick.turn + 1, others=others)
        if tick.chat < 0:
            return self.told(self.w, "")
        waits = self.waits and tick.pays and bool(others)
        if waits and self.broken != "asks nobody":
            w = w._replace(wanted=w.wanted | {one for one in others if one >= 0})
        done = {"turn": 0, "first": 0, "others": frozenset[int](), "seen": Account(lent=w.lent)}
        return self.told(w, "record", refused=waits, **done)

    def _cleared(self, w: World) -> World:
        """Return the world without closed loans, and without unrecorded loans of this account to this chat.

        A tick cannot know that it lost the chat. Loans of earlier claims can no longer be recorded by anybody; loans of
        later claims are not this tick's to drop.
        """
        view, others = self.tick.view, self.broken == "drops what others may record"
        closed = view.closed if not self.tick.turn else ()
        for one in closed:
            if one.shard == self.shard:
                w = _given_back(w, one, is_blind=self.broken == "settles what is gone")
        for lent in sorted(w.accounts[self.shard].lent):
            is_older = lent.generation < view.generation or others
            if lent.chat == self.tick.chat and is_older and lent.id not in _recorded(view):
                w = _given_back(w, Held(lent.id, lent.units, lent.day, self.shard))
        return w

    def record(self) -> Iterator[World]:
        """Write the loan and its reservation into the chat's document, before any of it is used."""
        held = self.tick.new
        if held is None:
            yield self.commit("release", closed=())
        elif self.broken == "calls before it records":
            yield self.commit("release", open=held._replace(reserved=1), closed=())
        else:
            yield self.commit("call", open=held._replace(reserved=self.reserve), closed=())

    def call(self) -> Iterator[World]:
        """Pay the model. A tick that lost the chat meanwhile does not know that yet."""
        w, held = self.w, self.tick.new or self.tick.view.open
        assert held is not None
        w = w._replace(paid=_put(w.paid, held.day, w.paid[held.day] + 1))
        if self.tick.chat < 0:
            yield self.at("settle", w, closed=(held._replace(used=1),))
        else:
            yield self.at("record" if self.tick.new else "release", w)

    def release(self) -> Iterator[World]:
        """Settle in the chat's document and release the chat; closed loans may be given back at once, or later."""
        view = self.tick.view
        spent = 1 if self.broken == "records no reservation" else view.open.reserved if view.open else 0
        held = view.open and view.open._replace(used=view.open.used + spent, reserved=0)
        if held is not None:
            closed = (*view.closed, held)
            yield self.commit("look", holder=-1, open=None, closed=closed)
            yield self.commit("", holder=-1, open=None, closed=closed)
        if held is None or held.used < held.units:
            after = self.commit("", holder=-1, open=held)
            refused = {(self.tick.chat, self.tick.seen.lent)} if self.tick.refused else set()
            yield after._replace(waiting=after.waiting | refused)

    def look(self) -> Iterator[World]:
        """Read an account again, to give back its closed loans at once."""
        closed = self.tick.closed or self.tick.view.closed
        yield self.at("settle", seen=self.w.accounts[closed[0].shard], closed=closed)

    def settle(self) -> Iterator[World]:
        """Give loans back in one compare-and-set; another process has given back those that are missing."""
        closed = self.tick.closed
        shard = closed[0].shard
        if self.tick.chat >= 0 and self.tick.seen != self.w.accounts[shard]:
            yield self.at("look")
            return
        w = self.w
        for one in closed:
            if one.shard == shard:
                w = _given_back(w, one, is_blind=self.broken == "settles what is gone")
        rest = tuple(one for one in closed if one.shard != shard)
        yield self.at("look", w, closed=rest) if rest else without(w, self.tick)


def with_tick(w: World, tick: Tick) -> World:
    """Return the world with one more tick."""
    return w._replace(ticks=tuple(sorted((*w.ticks, tick), key=lambda one: one.id)))


def without(w: World, tick: Tick) -> World:
    """Return the world without a tick."""
    return w._replace(ticks=tuple(one for one in w.ticks if one.id != tick.id))


def _put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    return (*items[:place], item, *items[place + 1 :])
