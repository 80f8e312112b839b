"""Methods that look up chats, members, files and sticker sets."""

from collections.abc import Mapping

from local.telegram.chats import LocalChat
from local.telegram.errors import bad_request
from local.telegram.files import MAX_DOWNLOAD_BYTES
from local.telegram.methods.request import AccessLevel, Method, MethodRequest, chat_of
from local.telegram.spec import bot_api
from local.telegram.standing import member_json
from local.telegram.wire import Json, chat_json, file_json, sticker_json

MAX_REACTIONS = 11
# Bot API: at most 200 custom emoji in one call.
MAX_CUSTOM_EMOJI = 200


def get_chat(request: MethodRequest) -> Json:
    """Return a chat as a `ChatFullInfo`: with the permissions in a group, or with the person's settings in a private
    chat.
    """
    chat = chat_of(request, AccessLevel.READ)
    info = chat_json(request.world, chat) | {
        "accent_color_id": abs(chat.id) % 7,
        "max_reaction_count": MAX_REACTIONS,
        "accepted_gift_types": {field.name: False for field in bot_api().types["AcceptedGiftTypes"]},
    }
    if chat.is_group:
        return info | {"permissions": _permissions()}
    person = request.world.people.person(chat.person_id) if chat.person_id is not None else None
    refuses = {"has_restricted_voice_and_video_messages": True} if person is not None and person.refuses_voice else {}
    return info | refuses | ({"active_usernames": [info["username"]]} if "username" in info else {})


def _permissions() -> Json:
    """Return the permissions of a group's members. All permissions are granted."""
    return {field.name: True for field in bot_api().types["ChatPermissions"]}


def get_chat_member(request: MethodRequest) -> Json:
    chat = chat_of(request, AccessLevel.READ_MEMBERS)
    who = request.world.people.find(request.params["user_id"])
    if who is None:
        raise bad_request("PARTICIPANT_ID_INVALID")
    return member_json(chat, who, chat.status_of(who.id))


def get_chat_administrators(request: MethodRequest) -> list[Json]:
    """Return a group's administrators. Bots other than the calling bot are left out."""
    chat = chat_of(request, AccessLevel.READ_MEMBERS)
    if not chat.is_group:
        raise bad_request("there are no administrators in the private chat")
    people = request.world.people
    shown = [id_ for id_ in chat.admins if id_ == request.bot.id or people.bot(id_) is None]
    return [member_json(chat, people.find(id_), chat.status_of(id_)) for id_ in shown]


def get_chat_member_count(request: MethodRequest) -> int:
    chat: LocalChat = chat_of(request, AccessLevel.READ_MEMBERS)
    return len(chat.members) + len(chat.bots)


def get_file(request: MethodRequest) -> Json:
    """Return the path for downloading a file. Raises BotApiError if the file is too big."""
    file = request.world.files.find(request.params["file_id"], request.bot.id)
    if file is None:
        raise bad_request("invalid file_id")
    if file.size > MAX_DOWNLOAD_BYTES:
        raise bad_request("file is too big")
    return file_json(file, request.bot.id) | {"file_path": file.path}


def get_sticker_set(request: MethodRequest) -> Json:
    """Return the sticker set with this name, which may be written in upper or lower case."""
    sets = request.world.stickers
    found = sets.find(request.params["name"])
    if found is None:
        raise bad_request("STICKERSET_INVALID")
    stickers = [sticker_json(file, request.bot.id) for file in sets.stickers_of(found)]
    return {"name": found.name, "title": found.title, "sticker_type": found.type, "stickers": stickers}


def get_custom_emoji_stickers(request: MethodRequest) -> list[Json]:
    """Return the stickers of these custom emoji. Unknown ids are skipped."""
    ids = request.params["custom_emoji_ids"]
    if len(ids) > MAX_CUSTOM_EMOJI:
        raise bad_request("too many custom emoji identifiers specified")
    found = (request.world.stickers.custom_emoji(id_) for id_ in ids)
    return [sticker_json(file, request.bot.id) for file in found if file is not None]


METHODS: Mapping[str, Method] = {
    "getChat": get_chat,
    "getChatMember": get_chat_member,
    "getChatAdministrators": get_chat_administrators,
    "getChatMemberCount": get_chat_member_count,
    "getFile": get_file,
    "getStickerSet": get_sticker_set,
    "getCustomEmojiStickers": get_custom_emoji_stickers,
}
