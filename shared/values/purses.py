"""Purses as values: what a claim reserves, what calls take, and what is over when the chat is given back.

What a dead tick had reserved is charged in full: nobody knows whether it was spent. `used` and `reserved` together
never grow but by a write of the chat's document, which comes before the call.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from shared.values.account import PERSON, Settlement, month_of
from shared.values.evolve import evolve
from shared.values.money import NOTHING, Amount
from shared.values.purse import TURNS, Allowance, Purse, Used, part_id

#: what is reserved with a claim, in percent of what the answer before needed
GROWN: Final = 125


def claimed(purse: Purse, now: datetime, *, is_private: bool) -> Purse:
    """The purse of a chat that a tick claims. In a private chat what an answer usually needs is reserved with it."""
    sums = purse.sums
    for one in purse.open:
        sums = sums.on(one.day).with_spent(one.reserved, one.day)
    opened = [_charged(one) for one in purse.open]
    over = [one for one in opened if one.lent is not None and one.until <= now]
    opened = [one for one in opened if one not in over]
    if is_private:
        opened = [_reserving(one, purse.usual) for one in opened]
    return _kept(evolve(purse, sums=sums), opened, (*purse.closed, *over))


def _charged(one: Allowance) -> Allowance:
    if one.reserved == NOTHING:
        return one
    return evolve(one, used=one.used + one.reserved, expired=one.expired + one.reserved, reserved=NOTHING)


def _reserving(one: Allowance, usual: Amount) -> Allowance:
    rest = one.rest
    if rest is None or not rest.covers(usual):
        return one
    # a conversation grows, and with it what its next answer may cost: reserved too, it is no write of its own
    more = Amount(nano_usd=usual.nano_usd * GROWN // 100, messages=usual.messages)
    return evolve(one, reserved=rest.least(more))


def changed(purse: Purse, allowance: Allowance) -> Purse:
    """The purse with an allowance as it is now; a new one stands first."""
    others = [one for one in purse.open if one.id != allowance.id]
    return _kept(purse, [allowance, *others], purse.closed)


def spent(purse: Purse, allowance_id: str, purpose: str, amount: Amount, used: Used) -> Purse:
    """The purse after a call, of what was reserved."""
    found = next((one for one in purse.open if one.id == allowance_id), None)
    if found is None:
        return purse
    left = (found.reserved - amount).most(NOTHING) if found.lent is not None else NOTHING
    by = dict(found.by) | {purpose: found.by.get(purpose, Used()) + used}
    after = evolve(found, used=found.used + amount, reserved=left, by=by)
    opened = [after if one.id == allowance_id else one for one in purse.open]
    sums = purse.sums.on(found.day).with_spent(amount, found.day)
    return _kept(evolve(purse, sums=sums), opened, purse.closed)


def softened(purse: Purse, person: int, soft: Collection[str], until: datetime, now: datetime) -> Purse:
    """The purse where more than the soft share is spent of these scopes, of which `PERSON` is that person's.

    Until `until` the cheaper model answers them, or everybody here.
    """
    own = {str(person): until} if PERSON in soft else {}
    others = {name: at for name, at in purse.soft_for.items() if at > now and name != str(person)}
    shared = until if any(scope != PERSON for scope in soft) else None
    return evolve(purse, soft_until=shared, soft_for=others | own)


def released(purse: Purse, now: datetime) -> tuple[Purse, Sequence[Allowance]]:
    """The purse of a chat that is given back, and what of it is in no account and over: it only has to be told of."""
    opened = [evolve(one, reserved=NOTHING) for one in purse.open]
    over = [one for one in opened if _is_over(one, purse.usual, now)]
    opened = [one for one in opened if one not in over]
    closed = (*purse.closed, *(one for one in over if one.lent is not None))
    return _kept(purse, opened, closed), [one for one in over if one.lent is None]


def unreserved(purse: Purse) -> Purse:
    """The purse without what was reserved, and nothing over."""
    return _kept(purse, [evolve(one, reserved=NOTHING) for one in purse.open], purse.closed)


def all_closed(purse: Purse) -> Purse:
    """The purse of which nobody spends any more; what is in no account stays as it is."""
    opened = unreserved(purse).open
    lent = [one for one in opened if one.lent is not None]
    return _kept(purse, [one for one in opened if one.lent is None], (*purse.closed, *lent))


def closing(purse: Purse, allowances: Iterable[Allowance]) -> Purse:
    """The purse of which nobody spends these any more."""
    gone = {one.id for one in allowances}
    over = [evolve(one, reserved=NOTHING) for one in purse.open if one.id in gone]
    return _kept(purse, [one for one in purse.open if one.id not in gone], (*purse.closed, *over))


def emptied(purse: Purse) -> Sequence[Allowance]:
    """All of a purse, for another chat to give back."""
    return (*unreserved(purse).open, *purse.closed)


def joined(purse: Purse, allowances: Iterable[Allowance]) -> Purse:
    """The purse with what another chat had, as closed."""
    return _kept(purse, purse.open, (*purse.closed, *allowances))


def without_closed(purse: Purse, settled: Iterable[Allowance]) -> Purse:
    """The purse without what is settled."""
    gone = {one.id for one in settled}
    return _kept(purse, purse.open, [one for one in purse.closed if one.id not in gone])


def forgotten(purse: Purse, person: int) -> tuple[Purse, Sequence[Allowance]]:
    """The purse once what it has for a person is over, and that; `person` 0: of everybody, who were told nothing then.

    What is over stands in it until it is settled.
    """
    opened = unreserved(purse).open
    ended = [one for one in opened if person in {0, one.person}]
    gone = [*ended, *(one for one in purse.closed if person in {0, one.person})]
    names = {str(person), f"~{person}"}
    told = {name: label for name, label in purse.told.items() if person and name not in names}
    soft = {name: until for name, until in purse.soft_for.items() if person and name != str(person)}
    refused = purse.refused if purse.refused is not None and person not in {0, purse.refused.person} else None
    kept = _kept(purse, [one for one in opened if one not in ended], (*purse.closed, *ended))
    return evolve(kept, told=told, soft_for=soft, refused=refused), gone


def settlement_of(one: Allowance, agent: str) -> Settlement:
    """What is settled of an allowance."""
    used = one.used if one.lent is not None else NOTHING
    return Settlement(id=one.id, used=used, agent=agent, person=one.person, shard=one.shard)


def settlements(whole: Settlement, used: Mapping[int, int]) -> list[Settlement]:
    """What is settled of a call: the whole where all share it, and of each person whose limits hold their part.

    `used`: by person, in the order of the parts, billionths of a dollar.
    """
    of_people = (
        replace(
            whole,
            id=part_id(whole.id, number),
            person=person,
            used=evolve(NOTHING, nano_usd=nano_usd),
            place=0,
        )
        for number, (person, nano_usd) in enumerate(used.items())
    )
    return [whole, *of_people]


def _is_over(one: Allowance, usual: Amount, now: datetime) -> bool:
    if one.until <= now:
        return True
    if one.lent is None:
        return one.used.messages >= TURNS
    return one.is_tight or not (one.lent - one.used).covers(usual)


def _kept(purse: Purse, opened: Sequence[Allowance], closed: Sequence[Allowance]) -> Purse:
    days = [one.day for one in (*opened, *closed)]
    untils = [one.until for one in opened if one.lent is not None]
    return evolve(
        purse,
        open=tuple(opened),
        closed=tuple(closed),
        until=min(untils, default=None),
        month=month_of(max(days)) if days else "",
    )
