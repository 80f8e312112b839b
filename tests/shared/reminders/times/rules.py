"""Recurrences of all kinds, for property tests."""

from datetime import datetime

from hypothesis import strategies as st

from shared.reminders.times.recurrence import Frequency, Recurrence


def _some(*values: int, most: int = 4) -> st.SearchStrategy[tuple[int, ...]]:
    return st.one_of(st.just(()), st.lists(st.sampled_from(values), max_size=most, unique=True).map(tuple))


@st.composite
def recurrences(draw: st.DrawFn) -> Recurrence:
    """Draw a valid rule of RFC 5545 without an end."""
    frequency = draw(st.sampled_from(Frequency))
    in_months = frequency in {Frequency.YEARLY, Frequency.MONTHLY}
    which = st.integers(-5, 5) if in_months else st.just(0)
    weekdays = st.lists(st.tuples(st.integers(0, 6), which), max_size=3, unique=True).map(tuple)
    yearly = frequency is Frequency.YEARLY
    return Recurrence(
        frequency=frequency,
        interval=draw(st.sampled_from((1, 1, 2, 3, 7, 25))),
        months=draw(_some(*range(1, 13))),
        weeks=draw(_some(1, 2, 20, 52, 53, -1)) if yearly else (),
        year_days=draw(_some(1, 59, 60, 200, 365, 366, -1)) if yearly else (),
        month_days=draw(_some(1, 2, 13, 29, 30, 31, -1)) if frequency is not Frequency.WEEKLY else (),
        weekdays=draw(weekdays),
        hours=draw(_some(0, 1, 2, 3, 8, 17, 23)),
        minutes=draw(_some(0, 7, 15, 30, 59)),
        positions=draw(_some(1, 2, -1, most=2)) if frequency.is_of_day else (),
        week_start=draw(st.integers(0, 6)),
    )


#: civil times that reminders begin at
starts = st.datetimes(datetime(2019, 1, 1), datetime(2030, 1, 1)).map(lambda one: one.replace(microsecond=0, fold=0))
