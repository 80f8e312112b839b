"""Somebody's own words are shown as they are."""

import string

from hypothesis import given
from hypothesis import strategies as st

from shared.commands.verbatim import verbatim
from shared.formatting.render import render
from tests.shared.values import PROPERTY

MARKED = st.text(st.sampled_from(string.punctuation + "a1 \n\u2028"), min_size=1, max_size=30)


@PROPERTY
@given(MARKED)
def test_no_name_becomes_markup(name: str) -> None:
    (shown,) = render(f"Name: {verbatim(name)}.")
    assert shown.text == f"Name: {' '.join(name.split())}."
    assert shown.entities == ()
