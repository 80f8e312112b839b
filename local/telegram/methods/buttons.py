"""The method that answers a pressed button."""

from collections.abc import Mapping

from local.telegram.entities import utf16_length
from local.telegram.errors import bad_request
from local.telegram.methods.request import Method, MethodRequest

# Bot API: 0–200 characters.
MAX_NOTICE = 200


def answer_callback_query(request: MethodRequest) -> bool:
    """Answer the press: the progress indicator of the button ends, and the person sees the notice in `text`, if there
    is one.
    """
    params = request.params
    if utf16_length(params.get("text", "")) > MAX_NOTICE:
        raise bad_request("MESSAGE_TOO_LONG")
    query = request.world.callbacks.answer(params["callback_query_id"], request.bot.id)
    if query is None:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    shown = {name: params.get(name) for name in ("text", "show_alert", "url")}
    place = {"chat": query.chat, "message_id": query.message_id, "from": request.bot.id}
    request.world.events.add("notice", query_id=params["callback_query_id"], **place, **shown)
    return True


METHODS: Mapping[str, Method] = {"answerCallbackQuery": answer_callback_query}
