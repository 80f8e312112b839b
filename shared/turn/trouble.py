"""What people are told when the model gives no plan: why, as far as they can do something about it."""

from shared.errors import ModelTrouble, StoreError
from shared.logs import log
from shared.models.chat_key import ChatKind
from shared.turn.batch import Batch, people_of
from shared.turn.language import words_for
from shared.turn.services import TickContext
from shared.wording.words import Phrase, joined

#: of these the agent's owner is told, in private, what to do
FOR_OWNER = frozenset(ModelTrouble) - {ModelTrouble.UNKNOWN, ModelTrouble.BLOCKED}


async def sentence(context: TickContext, batch: Batch, trouble: ModelTrouble, otherwise: Phrase) -> Phrase:
    """What is said to a batch whose answer fails; `otherwise` where nothing is known but that it failed."""
    if trouble is ModelTrouble.UNKNOWN:
        return otherwise
    words = words_for(batch, context.session.chat)
    told = words.say(f"trouble.{trouble.value}")
    if trouble not in FOR_OWNER or not await _is_to_owner(context, batch):
        return told
    return joined(told, words.say(f"owner.{trouble.value}"), by="\n\n")


async def _is_to_owner(context: TickContext, batch: Batch) -> bool:
    """Whether the agent's owner alone reads the answer. Where the store does not say, it is nobody's."""
    owners = context.services.owners
    if owners is None or batch.kind is not ChatKind.PRIVATE:
        return False
    try:
        return await owners.owner(context.session.chat.key.agent) in people_of(batch)
    except StoreError as error:
        log(f"who owns the agent is not known now: {error}")
        return False
