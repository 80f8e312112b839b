"""The bodies of requests to the World API, with which the page and tests play the people of the local Telegram."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from local.telegram.faults import TelegramFaultKind


class Act(BaseModel):
    """A request's body. An unknown field is an error, so that a typing mistake is noticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NewBot(Act):
    """A bot to be registered, as @BotFather would register it."""

    token: str
    first_name: str = Field(min_length=1, max_length=64)
    username: str = Field(pattern=r"^[A-Za-z0-9_]{3,32}$")
    privacy: bool = True
    can_join_groups: bool = True


class OpenMiniApp(Act):
    """A person opens a bot's Mini App: the console."""

    person_id: int
    bot_id: int


class NewPerson(Act):
    """A new person. `hides_account`: forwards of their messages show only their name. `refuses_voice`: bots cannot send
    them voice messages or round videos.
    """

    first_name: str = Field(min_length=1, max_length=64)
    last_name: str | None = Field(default=None, max_length=64)
    username: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_]{3,32}$")
    language_code: str | None = None
    hides_account: bool = False
    refuses_voice: bool = False


class PersonChange(Act):
    """Changes of a person's account; missing fields are not changed."""

    hides_account: bool | None = None
    refuses_voice: bool | None = None


class NewPrivateChat(Act):
    """A new private chat of a person with a bot. `topics`: the chat has topics."""

    type: Literal["private"]
    person_id: int
    bot_id: int
    topics: bool = False


class NewGroup(Act):
    """A new group or supergroup: its title, its settings, and the ids of its first members."""

    type: Literal["group", "supergroup"]
    title: str = Field(min_length=1, max_length=128)
    members: tuple[int, ...] = ()
    bots: tuple[int, ...] = ()
    admins: tuple[int, ...] = ()
    topics: bool = False
    #: whether the group holds the direct messages of a channel: each member who is not an administrator writes in a
    #: topic whose id is the member's id
    direct: bool = False


NewChat = Annotated[NewPrivateChat | NewGroup, Field(discriminator="type")]


class NewTopic(Act):
    """A new topic in a forum."""

    name: str = Field(min_length=1, max_length=128)
    by: int | None = None


class NewPost(Act):
    """A post of the channel that is linked to a supergroup."""

    channel: str = Field(min_length=1, max_length=128)
    text: str = Field(min_length=1, max_length=4096)


class NewMember(Act):
    """A new member of a group. `by` is the person who adds the member."""

    person_id: int | None = None
    bot_id: int | None = None
    admin: bool = False
    by: int | None = None


class NewAdmin(Act):
    """Makes a member of a group an administrator, or an administrator an ordinary member again."""

    id: int
    admin: bool = True


class NewBlock(Act):
    """Makes the person in a private chat block the bot, or unblock it."""

    blocked: bool


class ReplyElsewhere(Act):
    """The message in another chat to which a new message replies: the key of that chat, and the message's id."""

    chat: str
    message_id: int


class About(Act):
    """The sender's data about an attached file, such as the duration in seconds, and width and height in pixels."""

    duration: float = Field(default=0, ge=0)
    width: int = Field(default=0, ge=0)
    height: int = Field(default=0, ge=0)
    spoiler: bool = False
    performer: str | None = None
    title: str | None = None


class NewSticker(Act):
    """The fields that are sent with the file of a new sticker. If there is no sticker set with the given name, it is
    created.
    """

    emoji: str = Field(min_length=1)
    set_name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")
    set_title: str | None = Field(default=None, max_length=64)
    type: Literal["regular", "custom_emoji"] = "regular"


class NewMessage(Act):
    """A message that a person sends. With `edit_of`, the person edits that message; with `forward_of`, the person
    forwards that message.
    """

    sender: int = Field(alias="from")
    text: str = ""
    caption: str = ""
    topic_id: int | None = None
    reply_to: int | None = None
    quote: str | None = None
    entities: list[dict[str, Any]] | None = None
    sticker: str | None = None
    #: data about each attached file, in the order of the files; the last files may have none
    about: tuple[About, ...] = ()
    edit_of: int | None = None
    #: content that is neither text nor a file, such as `{"location": {"latitude": 50.45, "longitude": 30.52}}`
    content: dict[str, Any] | None = None
    forward_of: ReplyElsewhere | None = None
    #: the message of another chat to which this message replies; `quote` may contain the part of it that the reply is
    #: about
    reply_elsewhere: ReplyElsewhere | None = None
    #: time of writing in epoch seconds; now if not given
    date: int | None = Field(default=None, ge=1, lt=2**31)


class NewText(Act):
    """The edit of a message: the person who edits, and the new text. Without `entities`, markdown in the text is
    parsed.
    """

    sender: int = Field(alias="from")
    text: str
    entities: list[dict[str, Any]] | None = None


class NewReaction(Act):
    """A person's reaction to a message. If `emoji` is None, the earlier reaction is removed."""

    sender: int = Field(alias="from")
    emoji: str | None = None


class NewPress(Act):
    """A press of a button. With `forged`, `data` need not belong to any button, as if a manipulated client sent it."""

    sender: int = Field(alias="from")
    data: str
    forged: bool = False


class RawUpdate(Act):
    """An update that is queued for a bot unchanged."""

    update: dict[str, Any]


class NewFault(Act):
    """A fault for the next `times` calls of a method (`TelegramFault`). Durations are in seconds."""

    method: str
    kind: TelegramFaultKind
    times: int = Field(default=1, ge=1)
    retry_after: int = Field(default=3, ge=0)
    why: str = "not now"
    seconds: float = Field(default=1.0, ge=0)
    bot_id: int | None = None
    chat_id: int | None = None
