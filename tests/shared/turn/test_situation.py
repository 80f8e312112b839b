"""The situation in which a batch is read."""

from shared.chat.conversation import is_talk
from shared.deciding.access_policy import AccessPolicy
from shared.deciding.circumstances import OwnIdentity
from shared.recall.matching.segmenting import searched_text
from shared.turn.promises import kept_promises, with_promises
from shared.turn.situation import ChatSituation
from shared.values.decision import DecisionTier
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Edit, Event, MediaDescribed, Message
from shared.values.trust import AccessList
from tests.shared.examples import ANN, BOB, ME, NOW, SECOND, plan_of, said, send, wait

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",))


def test_what_is_answered_by_a_plan_that_has_not_begun_is_unanswered() -> None:
    plan = evolve(plan_of(send()), answers=(7,))
    assert ChatSituation(me=SELF, standing=plan).unanswered_ids == {7}
    assert ChatSituation(me=SELF, standing=evolve(plan, tasks=())).unanswered_ids == frozenset()
    assert ChatSituation(me=SELF).unanswered_ids == frozenset()


def test_a_task_that_bears_the_id_of_one_that_was_promised_by_an_earlier_plan_is_not_kept_with_it() -> None:
    """Plans number their tasks, so tasks of two plans can have the same id."""
    pause, text = plan_of(wait("1", 600), send("2", "Tea!", ("1",))).tasks
    begun = evolve(pause, not_before=NOW + 600 * SECOND)
    earlier = evolve(plan_of(plan_id="p1"), tasks=(begun, text), answers=(5,))
    answer = evolve(plan_of(send("1", "Yes."), plan_id="p2"), answers=(7,))
    standing = with_promises(answer, kept_promises(earlier, {ANN.id}))
    assert [t.task.id for t in standing.tasks] == ["1", "k1", "k2"]
    assert ChatSituation(me=SELF, standing=standing).unanswered_by({ANN.id}) == {7}


def test_an_edit_of_who_may_have_no_answer_says_so_and_is_neither_searched_nor_worth_notes() -> None:
    edit = Edit(at=NOW, message_id=1, author=ANN, text="a secret")
    closed = ChatSituation(
        me=SELF, access=AccessPolicy(access_list=AccessList(agent="lull", owner=BOB.id), chat_id=ANN.id)
    )
    refused = closed.as_said(edit)
    assert isinstance(refused, Edit)
    assert refused.decision is not None
    assert (refused.decision.tier, is_talk(refused), searched_text(refused)) == (DecisionTier.ACCESS, False, None)
    assert closed.as_said(evolve(edit, author=ME)) == evolve(edit, author=ME)
    assert ChatSituation(me=SELF).as_said(edit) == edit


SHOWS = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a cat")


def photo(message_id: int, description: Description | None = None) -> Message:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u1", description=description)
    return said("", ANN, message_id, media="a photo", media_refs=(ref,))


def described(*message_ids: int, description: Description = SHOWS) -> MediaDescribed:
    ids = message_ids
    return MediaDescribed(
        at=NOW, updates=(77,), message_ids=ids, kind=MediaKind.PHOTO, unique_id="u1", description=description
    )


def test_a_file_that_was_told_with_its_message_is_not_told_of_it_again() -> None:
    told = ChatSituation(me=SELF, window=(photo(5), photo(6, SHOWS))).as_said(described(5, 6))
    assert isinstance(told, MediaDescribed)
    assert told.message_ids == (5,)


def test_a_file_that_an_update_told_is_not_told_again_by_one_that_names_more_messages() -> None:
    told = ChatSituation(me=SELF, window=(photo(5), described(5), photo(6))).as_said(described(5, 6))
    assert isinstance(told, MediaDescribed)
    assert told.message_ids == (6,)


def test_an_update_that_tells_nothing_new_is_read_all_the_same() -> None:
    told = ChatSituation(me=SELF, window=(photo(5, SHOWS),)).as_said(described(5))
    assert told == Event(at=NOW, updates=(77,), kind="media_described")


def test_a_file_that_could_not_be_described_is_told_once_it_can() -> None:
    failed = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="later")
    told = ChatSituation(me=SELF, window=(photo(5, failed), described(5, description=failed))).as_said(described(5))
    assert isinstance(told, MediaDescribed)
    assert told.message_ids == (5,)


def test_why_a_file_could_not_be_described_is_told_of_a_message_that_waited_in_vain() -> None:
    not_yet = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="it takes long")
    failed = described(
        5, description=Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="it cannot be fetched now")
    )
    told = ChatSituation(me=SELF, window=(photo(5), described(5, description=not_yet))).as_said(failed)
    assert isinstance(told, MediaDescribed)
    assert told.message_ids == (5,)
