"""A turn: messages, decision, plan and costs."""

from shared.base.model_call import ModelCall
from shared.tasks.names import apology_task_id, command_task_id
from shared.tasks.plan import DeliveryState, PlannedTask
from shared.upkeep.reading import InspectedTurn, answered_by, commands_around, turns_of, with_plan
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Event, Message
from tests.shared.examples import BOB, ME, NOW, begun, plan_of, said, send

YES = Decision(respond=True, reason="a private chat", tier=DecisionTier.CHAT)
NO = Decision(respond=False, reason="not for the agent", tier=DecisionTier.NONE)
CALL = ModelCall(model="gemini-3.5-flash-lite", prompt_tokens=1_000_000)
JUDGED = evolve(NO, calls=(CALL,))


def test_utterances_of_one_number_are_a_turn_in_order() -> None:
    asked, more = said("Hi", message_id=1, turn=1, decision=YES), said("you", BOB, 2, turn=1, decision=NO)
    answer, next_ = said("Hello.", ME, 3, turn=1, plan="p1"), said("And?", message_id=4, turn=2)
    joined = said("Ann joined", message_id=9, is_service=True)
    first, second = turns_of([asked, more, Event(at=NOW, kind="poll"), joined, answer, next_])
    assert (first.number, first.messages, first.plan_id, first.why) == (1, (asked, more, answer), "p1", YES)
    assert (second.messages, second.plan_id, second.why, second.deliveries, second.cost) == ((next_,), "", None, (), 0)


def test_a_turn_that_was_not_answered_tells_why_not() -> None:
    (turn,) = turns_of([said("a", turn=1, decision=JUDGED), said("b", message_id=2, turn=1, decision=NO)])
    assert turn.why == NO
    assert turn.cost == 0.3


def test_the_chats_plan_belongs_to_the_turn_that_it_answers() -> None:
    plan = evolve(plan_of(send()), answers=(4,), calls=(CALL, CALL))
    plan = evolve(plan, tasks=(begun(send(), DeliveryState.CONFIRMED),))
    first, second = turns_of([said("a", message_id=1, turn=1), said("b", message_id=4, turn=2)], plan)
    assert (first.plan, second.plan) == (None, plan)
    assert [delivery.state for delivery in second.deliveries] == [DeliveryState.CONFIRMED]
    assert second.cost == 0.6, "its calls are the plan's until the answer is sent"
    sent = InspectedTurn(
        number=2, messages=(*second.messages, said("c", ME, 5, calls=(CALL,), plan=plan.id)), plan=plan
    )
    assert sent.cost == 0.3, "and then the message's"
    assert with_plan(sent, plan_of(send(), plan_id="another")) == sent


def test_a_call_without_a_known_price_makes_the_cost_unknown() -> None:
    (turn,) = turns_of([said("a", ME, turn=1, calls=(ModelCall(model="none"),))])
    assert turn.cost is None


def test_a_command_stands_with_its_answer() -> None:
    def written(id_: int) -> Message:
        return said("/zone", message_id=id_, is_command=True)

    def told(id_: int) -> Message:
        return said("It is noon.", ME, id_, is_command=True)

    between = said("hi", message_id=3, turn=1)
    entries: list[Message] = [written(1), told(2), between, written(4), written(5), told(6), told(7)]
    entries += [written(8), told(9), told(10), written(11), written(12), told(13), told(14), told(15), written(16)]
    groups = [(1, 2), (4, 6), (5, 7), (8, 9, 10), (11, 12, 13, 14, 15), (16,)]
    for group in groups:
        for id_ in group:
            asked = next(one for one in entries if one.message_id == id_)
            assert tuple(one.message_id for one in commands_around(asked, entries)) == group
    assert commands_around(between, entries) == (between,)


def test_a_plan_answers_messages_and_commands_and_apologises() -> None:
    own = [PlannedTask(task=send(one), is_own=True) for one in (command_task_id(108), apology_task_id(109))]
    plan = evolve(plan_of(send()), tasks=tuple(own), answers=(1,))
    messages = [said("x", message_id=n, updates=(100 + n,)) for n in (1, 7, 8, 9)]
    assert answered_by(plan, messages) == (1, 8, 9)
