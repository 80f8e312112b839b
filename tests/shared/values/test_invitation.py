"""Codes that cannot be guessed, and their stored form."""

from datetime import timedelta

from shared.values.evolve import evolve
from shared.values.invitation import INVITATION_MARK, Invitation, invitation_id, invitation_link, new_code
from tests.shared.examples import NOW, SECOND

ONE = Invitation(id="x", by=1, made_at=NOW, until=NOW + timedelta(days=7), most=2)


def test_a_link_holds_a_code_and_telegram_takes_it() -> None:
    codes = {new_code() for _ in range(100)}
    assert len(codes) == 100
    for code in codes:
        parameter = invitation_link("lull_bot", code).removeprefix("https://t.me/lull_bot?start=")
        assert parameter == INVITATION_MARK + code
        assert len(parameter) <= 64
        assert parameter.replace("-", "_").isidentifier()


def test_what_is_kept_is_no_code_and_is_each_agents_own() -> None:
    code = new_code()
    kept = invitation_id("lull", code)
    assert kept == invitation_id("lull", f" {code} ")
    assert kept != invitation_id("moss", code)
    assert code not in kept
    assert len(f"r{kept}") <= 18, "a button carries it"
    assert len(invitation_id("lull", "\ud800")) == len(kept)


def test_it_lets_in_as_many_as_it_says_until_its_end() -> None:
    assert ONE.is_open(NOW)
    assert evolve(ONE, used=1).is_open(ONE.until - SECOND)
    assert not evolve(ONE, used=2).is_open(NOW)
    assert not ONE.is_open(ONE.until)
