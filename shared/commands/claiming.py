"""/claim: who owns the agent, and how its bot is set up, which is the owner's to change."""

from shared.commands.place import Answer, Place
from shared.commands.verbatim import verbatim
from shared.deciding.privacy import joining_told, privacy_told
from shared.models.chat import ChatKind
from shared.models.registration import Claim, ClaimOutcome

USAGE = "Write the code behind it: /claim CODE. It stands in the link that a deployment prints."
NOT_HERE = "Please send me that in a private chat, and soon: here everybody can read the code and use it."
WRONG_CODE = "That is not the code."
HAS_ANOTHER = "I have an owner already, and it is somebody else."
IS_OWNER = "You are my owner."
NOT_TOLD = "Telegram did not tell me just now how I am set up there: open the link again to see it."


def claim(argument: str, place: Place) -> Answer:
    """What came of a claim, which was decided before; the owner is told how the bot is set up, each time again."""
    if place.chat.kind is not ChatKind.PRIVATE:
        return Answer(text=NOT_HERE)
    if not argument or place.claim is None:
        return Answer(text=USAGE)
    match place.claim.outcome:
        case ClaimOutcome.IS_OWNER:
            return Answer(text=f"{IS_OWNER} {_setup(place.claim)}")
        case ClaimOutcome.HAS_ANOTHER:
            return Answer(text=HAS_ANOTHER)
        case ClaimOutcome.WRONG_CODE:
            return Answer(text=WRONG_CODE)


def _setup(found: Claim) -> str:
    if found.identity is None:
        return NOT_TOLD
    told = (privacy_told(found.identity), joining_told(found.identity))
    return "\n".join(("This is how I am set up at Telegram:\n", *(f"- {verbatim(line)}" for line in told)))
