"""The authors of words from other conversations that a plan used."""

from dataclasses import replace

from shared.memory.tasks.remember import Remember
from shared.reminders.tasks.change_reminder import ChangeReminder
from shared.turn.consulting import derived_spans
from shared.values.evolve import evolve
from shared.values.origin import ConversationSpan, ShownSpan
from tests.shared.examples import ANN, BOB, ME, said, send

ROOM = -1_002_000_000_007
WHERE = ConversationSpan(conversation="conv-a", chat_id=ROOM, first_seq=1, last_seq=4, people=(ANN.id, BOB.id))
SHOWN = ShownSpan(
    where=WHERE, said=((ANN.id, "the safe opens with heron marmalade"), (BOB.id, "and I am allergic to peanuts"))
)
OF_ANN = evolve(WHERE, people=(ANN.id,))
OF_BOB = evolve(WHERE, people=(BOB.id,))


def test_whose_words_are_used_is_told_by_the_words() -> None:
    tasks = (send(text="Try the heron first."), send(text="No peanuts for you."))
    assert derived_spans(tasks, "how does it open?", (SHOWN,), ()) == ((OF_ANN,), (OF_BOB,))


def test_what_a_reminder_says_from_now_on_is_made_of_words_as_well() -> None:
    task = ChangeReminder(id="1", what="change", reminder="tea", text="Open it: the heron first.")
    assert derived_spans((task,), "how does it open?", (SHOWN,), ()) == ((OF_ANN,),)


def test_the_words_of_a_question_tell_nothing() -> None:
    assert derived_spans((send(text="The safe? No peanuts!"),), "is there a safe?", (SHOWN,), ()) == ((OF_BOB,),)


def test_where_no_word_is_shared_everything_that_was_looked_up_may_have_been_used() -> None:
    looked_up = replace(SHOWN, is_looked_up=True)
    assert derived_spans((send(text="Erst ein Reiher."),), "wie geht er auf?", (looked_up,), ()) == ((WHERE,),)


def test_without_a_shared_word_what_was_recalled_was_used_only_in_another_script() -> None:
    assert derived_spans((send(text="Спершу чапля, потім мармелад."),), "як відкрити?", (SHOWN,), ()) == ((WHERE,),)
    assert derived_spans((send(text="Tea suits you."),), "my tea is green", (SHOWN,), ()) == ((),)


def test_what_is_remembered_without_a_word_of_it_is_not_made_of_it() -> None:
    own, looked_up = Remember(id="1", text="Likes tea.", scope="person"), replace(SHOWN, is_looked_up=True)
    assert derived_spans((own, send(text="Fine.")), "I like tea, remember that", (looked_up,), ()) == ((), (WHERE,))


def test_what_the_agent_said_there_may_be_made_of_anybodys() -> None:
    shown = ShownSpan(where=WHERE, said=((0, "so it is heron, then marmalade"),))
    assert derived_spans((send(text="Heron."),), "", (shown,), ()) == ((WHERE,),)


def test_an_answer_that_repeats_an_earlier_one_is_made_of_what_that_was_made_of() -> None:
    earlier = said("Heron, then marmalade.", author=ME, elsewhere=(OF_ANN,))
    assert derived_spans((send(text="Marmalade, as I said."), send(text="Tea?")), "", (), (earlier,)) == ((OF_ANN,), ())


def test_without_anything_from_elsewhere_nothing_is_derived() -> None:
    assert derived_spans((send(text="Tea?"),), "hi", (), (said("hi"),)) == ()
