"""Parses the parameters of a call from any of the Bot API's formats, and checks them against the specification."""

import json
from collections.abc import Mapping
from typing import Any

from local.telegram.errors import BotApiError, bad_request
from local.telegram.messages import MessageField
from local.telegram.numerals import whole_number
from local.telegram.spec import Field, ValueProblem, bot_api, problems
from local.telegram.uploads import UploadedFile

# Telegram's errors for missing parameters, where the error is not `parameter "x" is required` (Client.cpp).
_MISSING = {
    "chat_id": "chat_id is empty",
    "text": "message text is empty",
    "user_id": "invalid user_id specified",
    "message_id": "message identifier is not specified",
    "file_id": "invalid file_id",
    "action": "wrong parameter action in request",
    "callback_query_id": "query is too old and response timeout expired or query ID is invalid",
}
# The names that Telegram's errors about parsing use for these types (observed on the real server).
_NAMED = {
    "InlineKeyboardButton": "inline keyboard button",
    "KeyboardButton": "keyboard button",
    "MessageEntity": "MessageEntity",
    "BotCommand": "BotCommand",
    "ReactionTypeEmoji": "ReactionType",
}
# Parameters that may be empty: an empty text is checked by the method itself, and an empty or missing url removes the
# webhook.
_MAY_BE_EMPTY = frozenset({"text", "url"})
_MISSING |= {kind.value: f"there is no {kind.value.replace('_', ' ')} in the request" for kind in MessageField}
_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0", ""})


Raw = Mapping[str, Any]


def parse_parameters(method: str, raw: Raw) -> dict[str, Any]:
    """Return a method's parameters, converted to the right types. Raises Telegram's 400 error for invalid parameters.

    As in a form, strings may represent numbers, booleans and JSON. As on Telegram, unknown parameters are ignored.
    """
    parsed: dict[str, Any] = {}
    raw = _with_attachments(_without_old_names(raw))
    # `text` comes first, since Telegram checks the text before it looks up the chat.
    for field in sorted(bot_api().methods[method.lower()], key=lambda field: field.name != "text"):
        value = raw.get(field.name)
        if value is None or (value == "" and field.name not in _MAY_BE_EMPTY):
            if field.required and field.name != "url":
                raise bad_request(_MISSING.get(field.name, f'parameter "{field.name}" is required'))
            continue
        parsed[field.name] = _parse(field, value)
    return parsed | _with_files_inside(raw, parsed)


def _parse(field: Field, value: Any) -> Any:
    if isinstance(value, UploadedFile):
        if "InputFile" not in field.types:
            raise bad_request(f'parameter "{field.name}" must not be a file')
        return value
    compound = [type_ for type_ in field.types if not bot_api().is_plain(type_)]
    if compound and isinstance(value, str) and "String" not in field.types:
        value = _decode(field.name, value)
    value = _from_text(field, value) if isinstance(value, str) else value
    if (
        isinstance(value, int)
        and not isinstance(value, bool)
        and "String" in field.types
        and "Integer" not in field.types
    ):
        value = str(value)
    found = problems(value, field.types, field.name, strict=False)
    if found:
        raise _refusal(field, found[0])
    return value


def _without_old_names(raw: Raw) -> Raw:
    """Return the parameters, with each name that is older than Bot API 7.0 replaced by its current name. Telegram still
    accepts the old names.
    """
    if "disable_web_page_preview" in raw and "link_preview_options" not in raw:
        is_disabled = str(raw["disable_web_page_preview"]).lower() in _TRUE
        raw = {**raw, "link_preview_options": {"is_disabled": is_disabled}}
    if "reply_to_message_id" not in raw or "reply_parameters" in raw:
        return raw
    allow = str(raw.get("allow_sending_without_reply", "")).lower() in _TRUE
    id_ = whole_number(raw["reply_to_message_id"]) or 0
    reply = {"message_id": id_, "allow_sending_without_reply": allow}
    return {**raw, "reply_parameters": reply}


def _with_attachments(raw: Raw) -> Raw:
    """Return the parameters with each `attach://name` replaced by the file with that name."""
    return {name: _attachment(raw, value) for name, value in raw.items()}


def _with_files_inside(raw: Raw, parsed: Raw) -> dict[str, Any]:
    """Return a dict with the album's parameter `media`, in which each `attach://name` is replaced by the file. Return
    {} if the call has no list `media`.
    """
    if not isinstance(parsed.get("media"), list):
        return {}
    return {"media": [{name: _attachment(raw, value) for name, value in item.items()} for item in parsed["media"]]}


def _attachment(raw: Raw, value: Any) -> Any:
    named = isinstance(value, str) and value.startswith("attach://")
    return raw.get(value.removeprefix("attach://"), value) if named else value


def _decode(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise bad_request(f"can't parse {name.replace('_', ' ')} JSON object") from None


def _from_text(field: Field, text: str) -> Any:
    """Return the text of a form field as a number or boolean if the parameter may have this type, otherwise
    unchanged.
    """
    if "Integer" in field.types and (number := whole_number(text)) is not None:
        return number
    if "Boolean" in field.types and text.strip().lower() in _TRUE | _FALSE:
        return text.strip().lower() in _TRUE
    return text


def _refusal(field: Field, problem: ValueProblem) -> BotApiError:
    """Return the error for a parameter that could not be parsed. For some types, Telegram's error contains the name of
    the type.
    """
    if not problem.type_:
        return bad_request(f'parameter "{field.name}" must be of type {" or ".join(field.types)}')
    kind = _NAMED.get(problem.type_)
    return bad_request(
        f"can't parse {kind}: {problem.reason}" if kind else problem.reason[0].lower() + problem.reason[1:]
    )
