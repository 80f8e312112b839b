"""`ask`: the message describes all tasks that were asked for, and each button names its task."""

import pytest

from shared.access.tasks.clear_conversation import ClearConversation
from shared.access.tasks.shutdown import Shutdown
from shared.access.tasks.unblock import UnblockPerson
from shared.base.wording.words import words_in
from shared.memory.tasks.forget import Forget
from shared.memory.tasks.remember import Remember
from shared.reminders.tasks.change_reminder import ChangeReminder
from shared.reminders.tasks.keep_zone import KeepZone
from shared.reminders.tasks.schedule import Schedule
from shared.tasks.ask import LONGEST_LABEL, Ask
from shared.tasks.registry import plannable
from shared.tasks.task import Task
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.reminder import ReminderChange, ReminderSpec
from tests.shared.examples import ANN, NOW
from tests.shared.memory.facts import fact

AT = ReminderSpec(instruction="Look it up.", first_at=NOW, zone="UTC", start=NOW.isoformat(), rule="FREQ=DAILY")
MADE = evolve(AT, text="Make tea", instruction="")
CANCELLED = ReminderChange(asked_at=NOW, asked_zone="UTC", id="abcdefghijkl", before=MADE)
CHANGED = evolve(CANCELLED, after=MADE)
OFFERED: tuple[tuple[Task, str], ...] = (
    (Remember(text="Ann is allergic to nuts."), "Remember: Ann is allergic to nuts."),
    (Forget(memory="m1", said="Ann likes tea."), "Forget: Ann likes tea."),
    (KeepZone(zone="Asia/Tokyo"), "Save the time zone Asia/Tokyo"),
    (UnblockPerson(person=7), "Unblock 7"),
    (UnblockPerson(person=7, name="Eve *Cy*"), "Unblock Eve *Cy* (7)"),
    (Shutdown(), "Stop answering in this chat"),
    (Shutdown(everywhere=True), "Stop answering everyone, in every chat"),
    (ClearConversation(), "Start a new conversation"),
    (ChangeReminder(what="cancel", reminder="a", resolved=CANCELLED), "Cancel: Make tea (every day"),
    (ChangeReminder(what="change", reminder="a", text="Tea", resolved=CHANGED), "Change the reminder to: Make tea"),
    (ChangeReminder(what="put-off", reminder="a", after="1 day", resolved=CHANGED), "Move to every day"),
    (Schedule(instruction="Look it up.", every="FREQ=DAILY", resolved=AT), "Schedule a task, "),
)


@pytest.mark.parametrize(("task", "label"), OFFERED)
def test_a_button_says_what_it_does_and_does_that(task: Task, label: str) -> None:
    assert task.reaches_further
    asks = Ask.about((task,), words_in("en"), id="ask-1")
    assert asks.offered[0].startswith(label)
    (effect,) = asks.effects
    assert type(task).model_validate(effect) == task
    assert len(asks.offered[0]) <= LONGEST_LABEL


def test_every_kind_that_waits_is_known_here_but_for_what_the_owner_is_asked() -> None:
    kinds = {kind for kind, model in plannable().items() if model.waiting() and not model.traits.asks_owner}
    assert kinds == {task.kind for task, _ in OFFERED}


def test_shows_a_cut_label_whole_in_the_message_without_markup() -> None:
    long = f"Ann likes *{'very ' * 30}hot* tea"
    asks = Ask.about((Remember(text=long), Shutdown()), words_in("en"), id="ask-1", reply_to=7)
    assert (len(asks.offered), asks.reply_to, asks.traits.is_from_model) == (2, 7, False)
    assert f"\\*{'very ' * 30}hot\\* tea" in asks.text
    assert asks.summary() == "; ".join(asks.offered)


KEPT = (fact("Ann likes tea.", id="mtea"), fact(f"Ann has {'very ' * 20}many boats.", id="mboat"))


def test_to_make_room_each_button_gives_up_one_memory_and_the_last_one_none() -> None:
    wish = Remember(text="Ann owns a *kite*.")
    asks = Ask.for_room(wish, wish.text, KEPT, words_in("en"), id="room-1")
    assert asks.offered[0] == "Forget: Ann likes tea."
    assert asks.offered[-1] == "Keep everything and don't remember this"
    assert f"Ann has {'very ' * 20}many boats" in asks.text, "what is cut on a button stands whole above it"
    assert "\\*kite\\*" in asks.text
    found = [Remember.model_validate(act) for act in asks.effects]
    assert [one.instead_of for one in found] == ["mtea", "mboat", ""]
    wishes = [one.memory_wish for one in found]
    assert [one.instead_of if one is not None else None for one in wishes] == ["mtea", "mboat", None]


def test_only_one_of_what_makes_room_is_done() -> None:
    wish = Remember(text="Ann owns a kite.")
    asks = Ask.for_room(wish, wish.text, KEPT, words_in("en"), id="room-1")
    board = Keyboard(id="x" * 16, choices=asks.offered, people=(ANN.id,), effects=asks.effects, at=NOW)
    assert board.without([0]).is_used_up
    assert not board.without([]).is_used_up
    assert not Keyboard(id="x" * 16, choices=("a", "b"), effects=({}, {}), at=NOW).without([0]).is_used_up
