"""Texts for checks of stories: the prompt to the model, and the parts of an answer with formatting."""

from tests.stories.play import Chat, Json, Sandbox


async def will_say(sandbox: Sandbox, chat: Chat, text: str) -> None:
    """Script the next plan for a chat: one message."""
    await sandbox.model.will_plan({"kind": "send", "text": text}, match=f"chat_id={chat.id} ")


async def last_prompt(sandbox: Sandbox, chat: Chat) -> str:
    """Return the texts of the newest prompt about a chat."""
    asked = (await sandbox.model.asked(f"chat_id={chat.id} "))[-1]["request"]["contents"]
    return "\n".join(part["text"] for content in asked for part in content["parts"] if "text" in part)


def covered(message: Json) -> dict[str, str]:
    """Map the type of each entity to its text, counted in UTF-16 as Telegram does."""
    units = message["text"].encode("utf-16-le")
    return {
        e["type"]: units[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le")
        for e in message["entities"]
    }
