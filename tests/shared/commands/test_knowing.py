"""What somebody is told of themselves."""

import pytest

from shared.commands.knowing import whoami
from shared.formatting.render import render
from shared.models.message import Author
from shared.models.registration import Claim, ClaimOutcome
from tests.shared.commands.places import CONVERSATION, place
from tests.shared.values import ANN, KEY


def test_it_tells_who_and_where() -> None:
    text = render(whoami("", place(language="de-AT")).text)[0].text
    for wanted in ("Name: Ann (@ann_a)", f"Id: {ANN.id}", "Language: de-AT", str(KEY.chat_id), CONVERSATION, "Trust:"):
        assert wanted in text
    assert "topic" not in text


def test_what_is_not_known_is_said_to_be_so() -> None:
    key = KEY.model_copy(update={"topic_id": 9})
    text = render(whoami("", place(key=key, person=Author(id=7, name="Bob"))).text)[0].text
    assert "Name: Bob\n" in text
    assert "Language: Telegram does not say" in text
    assert "topic 9" in text


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "nothing was set for you"),
        (Claim(outcome=ClaimOutcome.HAS_ANOTHER), "nothing was set for you"),
        (Claim(outcome=ClaimOutcome.IS_OWNER), "you are my owner"),
    ],
)
def test_the_owner_is_told_so(found: Claim | None, said: str) -> None:
    text = render(whoami("", place(claim=found)).text)[0].text
    assert f"Trust: {said}\n" in text
