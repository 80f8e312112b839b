"""What a batch is read in."""

from shared.chat.conversation import is_talk
from shared.deciding.access import Access
from shared.deciding.circumstances import OwnIdentity
from shared.recall.matching.segmenting import said_in
from shared.turn.promises import kept_promises, with_promises
from shared.turn.situation import Situation
from shared.values.decision import Tier
from shared.values.evolve import evolve
from shared.values.message import Edit
from shared.values.trust import Roster
from tests.shared.examples import ANN, BOB, ME, NOW, SECOND, plan_of, send, wait

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",))


def test_what_is_answered_by_a_plan_that_has_not_begun_is_unanswered() -> None:
    plan = evolve(plan_of(send()), answers=(7,))
    assert Situation(me=SELF, standing=plan).unanswered == {7}
    assert Situation(me=SELF, standing=evolve(plan, tasks=())).unanswered == frozenset()
    assert Situation(me=SELF).unanswered == frozenset()


def test_a_task_that_bears_the_id_of_one_that_was_promised_by_an_earlier_plan_is_not_kept_with_it() -> None:
    """A plan names its tasks by their places, so the reminder `1, 2` of one plan and the answer `1` of the next do."""
    pause, text = plan_of(wait("1", 600), send("2", "Tea!", ("1",))).tasks
    begun = evolve(pause, not_before=NOW + 600 * SECOND)
    earlier = evolve(plan_of(plan_id="p1"), tasks=(begun, text), answers=(5,))
    answer = evolve(plan_of(send("1", "Yes."), plan_id="p2"), answers=(7,))
    standing = with_promises(answer, kept_promises(earlier, {ANN.id}))
    assert [t.task.id for t in standing.tasks] == ["1", "k1", "k2"]
    assert Situation(me=SELF, standing=standing).unanswered_by({ANN.id}) == {7}


def test_an_edit_of_who_may_have_no_answer_says_so_and_is_neither_searched_nor_worth_notes() -> None:
    edit = Edit(at=NOW, message_id=1, author=ANN, text="a secret")
    closed = Situation(me=SELF, access=Access(roster=Roster(agent="lull", owner=BOB.id), chat_id=ANN.id))
    refused = closed.as_said(edit)
    assert isinstance(refused, Edit)
    assert refused.decision is not None
    assert (refused.decision.tier, is_talk(refused), said_in(refused)) == (Tier.ACCESS, False, None)
    assert closed.as_said(evolve(edit, author=ME)) == evolve(edit, author=ME)
    assert Situation(me=SELF).as_said(edit) == edit
