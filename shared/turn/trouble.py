"""Tell people why the model gave no plan, if they can do something about the cause.

The agent's owner gets instructions: in the answer, or in private if other people had the trouble.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.base.errors import ChannelError, ModelTrouble, NotDelivered, StoreError
from shared.base.logs import log
from shared.base.wording.verbatim import verbatim
from shared.base.wording.words import Phrase, Words, join_phrases, words_in
from shared.chat.session import Session
from shared.chat.store.bots import SentOwnerNotice
from shared.planning.planner import PlanResult
from shared.tasks.send import own_words
from shared.tasks.task import DeliveryContext
from shared.turn.batch import InboxBatch, people_of
from shared.turn.language import words_for
from shared.turn.runner import PlanRunner, author_of
from shared.turn.services import TickContext
from shared.values.channel import Recipient
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.model_name import GEMINI, provider_title

if TYPE_CHECKING:
    from shared.chat.store.bots import FirestoreOwners

#: the kinds of trouble for which the owner gets instructions in private
FOR_OWNER = frozenset(ModelTrouble) - {ModelTrouble.UNKNOWN, ModelTrouble.BLOCKED, ModelTrouble.LIMIT}


async def trouble_phrase(
    session: Session, owners: FirestoreOwners | None, batch: InboxBatch, failed: PlanResult, otherwise: Phrase
) -> Phrase:
    """Return the apology for a failed plan; the phrase `otherwise` if nothing more specific can be said."""
    trouble = failed.trouble
    if trouble is ModelTrouble.UNKNOWN:
        return otherwise
    words = words_for(batch.targets, batch.languages, session.chat)
    told = words.say(f"trouble.{trouble.value}")
    if trouble not in FOR_OWNER or not await _is_to_owner(session, owners, batch):
        return told
    return join_phrases(told, _instructions(words, trouble, failed.provider), by="\n\n")


def _instructions(words: Words, trouble: ModelTrouble, provider: str) -> Phrase:
    if provider == GEMINI:
        return words.say(f"owner.{trouble.value}")
    return words.say(f"provider.{trouble.value}", provider=verbatim(provider_title(provider)))


async def _is_to_owner(session: Session, owners: FirestoreOwners | None, batch: InboxBatch) -> bool:
    """Return whether nobody but the agent's owner reads the answer. False if the store cannot be read."""
    if owners is None or batch.kind is not ChatKind.PRIVATE:
        return False
    try:
        return await owners.owner(session.chat.key.agent) in people_of(batch)
    except StoreError as error:
        log(f"the agent's owner cannot be looked up now: {error}")
        return False


async def tell_owner(context: TickContext, trouble: ModelTrouble, provider: str = GEMINI) -> None:
    """Send the agent's owner instructions, once a day for each kind of trouble. They quote no message.

    Call this last, since it may fail: by then, the asker is answered and the chat is released. The notice is recorded
    before it is sent, so it is sent at most once.
    """
    owners = context.services.owners
    if owners is None or trouble not in FOR_OWNER:
        return
    try:
        owner = await owners.owner(context.session.chat.key.agent)
        if owner is not None:
            await _tell(context, owners, owner, trouble, provider)
    except (StoreError, ChannelError) as error:
        log(f"the notice to the agent's owner was not sent: {error}", trouble=trouble.value)


async def _tell(
    context: TickContext, owners: FirestoreOwners, owner: int, trouble: ModelTrouble, provider: str
) -> None:
    here = context.session.chat.key
    notice = SentOwnerNotice(agent=here.agent, kind=trouble.value, at=context.now)
    # a person's private chat has the same id as the person (core.telegram.org/bots/api#chat)
    if here.chat_id == owner:  # then the owner got the instructions in the answer
        await owners.keep_notice(notice)
        return
    chat = (await context.services.chats.see(ChatKey(agent=here.agent, chat_id=owner))).chat
    gate = context.services.runner.gate
    if chat.is_muted(context.now) or await gate.closed_until(owner) is not None:
        return
    if await owners.keep_notice(notice):
        await _send(context.services.runner, chat, trouble, provider)
        log("a notice to the agent's owner was sent", trouble=trouble.value)


async def _send(runner: PlanRunner, chat: Chat, trouble: ModelTrouble, provider: str) -> None:
    words = words_in(chat.locale.last_language)
    text = join_phrases(words.say("owner.notice"), _instructions(words, trouble, provider), by="\n\n")
    send, to = own_words("notice", text), Recipient(chat_id=chat.key.chat_id)
    author = author_of(runner.channel, runner.agent)
    try:
        for part in range(send.parts()):
            await send.deliver(part, DeliveryContext(channel=runner.channel, to=to, author=author, clock=runner.clock))
    except NotDelivered as error:
        if error.retry_after is not None:
            await runner.gate.note_wait(to.chat_id, runner.clock() + error.retry_after)
        raise
