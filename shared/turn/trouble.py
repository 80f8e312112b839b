"""What people are told when the model gives no plan: why, as far as they can do something about it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from shared.errors import ModelTrouble, StoreError
from shared.logs import log
from shared.models.chat import ChatKind
from shared.turn.batch import Batch, people_of
from shared.turn.services import TickContext

#: to whoever waits for an answer, by what is the matter; each ends with what they may do
SENTENCES: Final[Mapping[ModelTrouble, str]] = MappingProxyType(
    {
        ModelTrouble.BLOCKED: "The safety rules of the model that I think with do not let me answer this. "
        "Asking the same again changes nothing; you may put it differently, or ask something else.",
        ModelTrouble.QUOTA: "I have asked the model that I think with as often as I may for now. "
        "Please ask me again later.",
        ModelTrouble.MONEY: "The model that I think with has to be paid before it answers again, "
        "which only whoever runs me can do.",
        ModelTrouble.CAPACITY: "The model that I think with has too much to do right now. "
        "Please ask me again in a few minutes.",
        ModelTrouble.MISCONFIGURED: "The model that I think with is not set up rightly, "
        "which only whoever runs me can mend.",
    }
)
#: to the agent's owner, in private, behind that: what to do
FOR_OWNER: Final[Mapping[ModelTrouble, str]] = MappingProxyType(
    {
        ModelTrouble.QUOTA: "You own me: the quota of Gemini is used up. See the project's limits at "
        "https://aistudio.google.com/rate-limit, ask for more, or choose another model with /model.",
        ModelTrouble.MONEY: "You own me: Gemini wants billing. Turn it on, or add credit, for the key's project at "
        "https://aistudio.google.com/billing, or with Vertex AI at https://console.cloud.google.com/billing.",
        ModelTrouble.CAPACITY: "You own me: it is Gemini that is overloaded. If it lasts, choose another model with "
        "/model.",
        ModelTrouble.MISCONFIGURED: "You own me: check that GEMINI_API_KEY is valid and may use the Gemini API (with "
        "Vertex AI: that the functions' account is an aiplatform.user), and that the model's name exists. The log of "
        "the tick function has Gemini's code.",
    }
)


async def sentence(context: TickContext, batch: Batch, trouble: ModelTrouble, otherwise: str) -> str:
    """What is said to a batch whose answer fails; `otherwise` where nothing is known but that it failed."""
    told = SENTENCES.get(trouble, otherwise)
    if trouble in FOR_OWNER and await _is_to_owner(context, batch):
        return f"{told}\n\n{FOR_OWNER[trouble]}"
    return told


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
