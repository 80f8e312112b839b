"""The context of a decision."""

from datetime import timedelta

from shared.deciding.circumstances import DecisionSettings
from shared.deciding.rules import decide_in
from tests.shared.deciding.groups import SELF, circumstances, group


def test_an_agent_is_called_by_its_names_and_its_username() -> None:
    assert {"lull", "ルル", "lull_bot"} <= set(SELF.all_names)


def test_the_same_circumstances_do_for_a_whole_batch() -> None:
    messages = group("Ann: @lull_bot when?", "lull > Ann: At nine.", "Ann: and then", "Bob > Ann: oh", "Ann: well")
    reasons = [decide_in(m, circumstances(list(reversed(messages)))).reason for m in messages]
    assert reasons == ["mentioned", "the agent's own", "a follow-up", "for somebody else", "not addressed"]


def test_without_settings_an_agent_keeps_to_people_and_asks_no_model() -> None:
    decision_settings = DecisionSettings()
    assert (decision_settings.active, decision_settings.follow_up) == (timedelta(minutes=2), timedelta(minutes=1))
    assert not decision_settings.asks_judge
    assert not decision_settings.answers_bots
