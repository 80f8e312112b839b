"""Creates chats, adds and removes people and bots, and handles topics, blocks and upgrades to a supergroup."""

from dataclasses import dataclass, replace
from typing import Any

from local.telegram.chats import ChatType, LocalChat, Status, Topic, group_key, private_key
from local.telegram.errors import WorldRefused
from local.telegram.messages import ServiceNote
from local.telegram.people import Bot, Person
from local.telegram.posting import keep_chat, post_service
from local.telegram.standing import member_json
from local.telegram.updates import DAY_SECONDS, LaneKind, News
from local.telegram.wire import chat_json, user_json
from local.telegram.world import World

# The colour of all topics: one of the six that Telegram has.
TOPIC_COLOUR = 7322096


@dataclass(frozen=True, kw_only=True)
class GroupPlan:
    """A new group. With `topics` the group is a forum. With `direct` it holds the direct messages of a channel. A group
    with either must be a supergroup.
    """

    type: ChatType
    title: str
    members: tuple[int, ...] = ()
    bots: tuple[int, ...] = ()
    admins: tuple[int, ...] = ()
    topics: bool = False
    direct: bool = False


def open_private_chat(world: World, person: Person, bot: Bot, *, topics: bool = False) -> LocalChat:
    """Return the private chat of a person with a bot; create it if there is none."""
    key = private_key(person.id, bot.id)
    known = world.chats.get(key)
    if known is not None:
        return known
    chat = LocalChat(
        key=key,
        type=ChatType.PRIVATE,
        id=person.id,
        bot_id=bot.id,
        person_id=person.id,
        members=(person.id,),
        bots=(bot.id,),
        is_forum=topics,
    )
    return keep_chat(world, chat)


def make_group(world: World, plan: GroupPlan) -> LocalChat:
    """Create a group. The first of the members is its creator, who also adds the bots."""
    id_ = world.chats.next_group_id(plan.type)
    creator = next(iter(plan.members), None)
    admins = tuple(id_ for id_ in plan.admins if id_ not in plan.bots)
    chat = LocalChat(
        key=group_key(id_),
        type=plan.type,
        id=id_,
        title=plan.title,
        is_forum=plan.topics,
        is_direct=plan.direct,
        creator=creator,
        members=plan.members,
        admins=admins if creator is None or creator in admins else (creator, *admins),
    )
    chat = keep_chat(world, chat)
    if chat.type is ChatType.GROUP:
        return _fill_basic_group(world, chat, plan)
    made = ServiceNote(field="supergroup_chat_created", value=True, line=f"{name_of(world, creator)} created the group")
    post_service(world, chat, creator or 0, made)
    for bot_id in plan.bots:
        chat = add_member(world, chat, bot_id, by=creator, is_admin=bot_id in plan.admins)
    return chat


def _fill_basic_group(world: World, chat: LocalChat, plan: GroupPlan) -> LocalChat:
    """Create a basic group that includes its bots from the beginning. So the bots get an update about the creation of
    the group, and none about joining it.
    """
    for bot_id in plan.bots:
        old = chat
        chat = keep_chat(world, chat.with_member(bot_id, is_bot=True, is_admin=bot_id in plan.admins))
        _tell_of_change(world, old, chat, bot_id, by=chat.creator)
    made = ServiceNote(field="group_chat_created", value=True, line=f"{name_of(world, chat.creator)} created the group")
    post_service(world, chat, chat.creator or 0, made)
    return chat


def add_member(world: World, chat: LocalChat, id_: int, *, by: int | None, is_admin: bool = False) -> LocalChat:
    """Add a person or a bot to a group, and return the changed chat. Raises WorldRefused if `id_` is unknown or
    already in the chat, or if the bot may not join groups.
    """
    who = world.people.find(id_)
    if who is None:
        raise WorldRefused(f"There is nobody with the id {id_}; create the person or the bot first.", 404)
    if chat.has(id_):
        raise WorldRefused(f"{who.first_name} is already in this chat.", 409)
    if isinstance(who, Bot) and not who.can_join_groups:
        raise WorldRefused(f"{who.first_name} cannot be added to groups.", 409)
    old, is_bot = chat, isinstance(who, Bot)
    chat = keep_chat(world, chat.with_member(id_, is_bot=is_bot, is_admin=is_admin))
    _tell_of_change(world, old, chat, id_, by=by)
    came = ServiceNote(
        field="new_chat_members", value=[user_json(who)], line=f"{name_of(world, by)} added {who.first_name}"
    )
    post_service(world, chat, by or 0, came)
    return chat


def remove_member(world: World, chat: LocalChat, id_: int, *, by: int | None) -> LocalChat:
    """Remove a person or a bot from a group. If they remove themselves (`by` is `id_`), they have left; otherwise they
    were kicked.
    """
    who = world.people.find(id_)
    if who is None or not chat.has(id_):
        raise WorldRefused(f"Nobody with the id {id_} is in this chat.", 404)
    old = chat
    line = f"{who.first_name} left" if by == id_ else f"{name_of(world, by)} removed {who.first_name}"
    gone = ServiceNote(field="left_chat_member", value=user_json(who), line=line)
    # A removed bot still gets this update, but none after it.
    post_service(world, old, by or 0, gone)
    chat = keep_chat(world, old.without_member(id_, is_kicked=by != id_))
    _tell_of_change(world, old, chat, id_, by=by)
    return chat


def set_admin(world: World, chat: LocalChat, id_: int, *, admin: bool, by: int | None) -> LocalChat:
    """Make a member of a group an administrator, or an ordinary member again. Raises WorldRefused for the group's
    creator and for anybody who is not a member.
    """
    if not chat.has(id_) or id_ == chat.creator:
        raise WorldRefused(
            "Only a member who did not create the group can be made an administrator or an ordinary member.", 409
        )
    if (id_ in chat.admins) == admin:
        return chat
    old = chat
    others = tuple(other for other in chat.admins if other != id_)
    chat = keep_chat(world, replace(chat, admins=(*others, id_) if admin else others))
    _tell_of_change(world, old, chat, id_, by=by)
    return chat


def set_blocked(world: World, chat: LocalChat, *, blocked: bool) -> LocalChat:
    """Block or unblock the bot of a private chat on behalf of the chat's person."""
    if chat.is_group:
        raise WorldRefused("Only in a private chat can a person block a bot.")
    if chat.blocked == blocked:
        return chat
    old = chat
    chat = keep_chat(world, replace(chat, blocked=blocked))
    _tell_of_change(world, old, chat, chat.bot_id or 0, by=chat.person_id)
    return chat


def add_topic(world: World, chat: LocalChat, name: str, *, by: int | None) -> tuple[LocalChat, Topic]:
    """Create a topic. The service message about the creation is the topic's first message; its id becomes the topic's
    id.
    """
    if not chat.is_forum:
        raise WorldRefused("This chat has no topics; make it with topics: true.", 409)
    id_ = world.counters.last(f"message {chat.bot_id or chat.key}") + 1
    topic = Topic(id=id_, name=name)
    chat = keep_chat(world, replace(chat, topics=(*chat.topics, topic)))
    made = {"name": name, "icon_color": TOPIC_COLOUR}
    service = ServiceNote(
        field="forum_topic_created", value=made, line=f"{name_of(world, by)} created the topic “{name}”"
    )
    post_service(world, chat, by or 0, service, topic_id=id_)
    return chat, topic


def migrate(world: World, chat: LocalChat, *, by: int | None) -> LocalChat:
    """Upgrade a basic group to a supergroup, and return the supergroup: a new chat with the same people. The old chat
    stores the id of the supergroup.
    """
    if chat.type is not ChatType.GROUP or chat.migrated_to is not None:
        raise WorldRefused("Only a basic group can become a supergroup, and only once.", 409)
    new_id = world.chats.next_group_id(ChatType.SUPERGROUP)
    new = keep_chat(world, replace(chat, key=group_key(new_id), id=new_id, type=ChatType.SUPERGROUP))
    line = f"{name_of(world, by)} turned the group into a supergroup"
    post_service(world, chat, by or 0, ServiceNote(field="migrate_to_chat_id", value=new.id, line=line))
    keep_chat(world, replace(chat, migrated_to=new.id))
    post_service(
        world, new, 0, ServiceNote(field="migrate_from_chat_id", value=chat.id, line="The group became a supergroup")
    )
    return new


def name_of(world: World, id_: int | None) -> str:
    """Return the first name of a person or bot for the text of a service message. If there is no such person or bot,
    return "Someone".
    """
    who = world.people.find(id_) if id_ else None
    return who.first_name if who else "Someone"


def _tell_of_change(world: World, old: LocalChat, new: LocalChat, id_: int, *, by: int | None) -> None:
    """Send updates about the changed status of `id_`: my_chat_member to `id_` itself if it is a bot, and chat_member to
    the bots that are administrators of the chat.
    """
    who = world.people.find(id_)
    content: dict[str, Any] = {
        "chat": chat_json(world, new),
        "from": user_json(world.people.find(by) if by else None),
        "date": int(world.now()),
        "old_chat_member": member_json(old, who, _status(old, id_)),
        "new_chat_member": member_json(new, who, _status(new, id_)),
    }
    for bot_id in {*old.bots, *new.bots}:
        bot = world.people.bot(bot_id)
        is_own = bot_id == id_
        if bot is None or not (is_own or bot_id in new.admins):
            continue
        lane = LaneKind.MY_CHAT_MEMBER.of(new.id) if is_own else LaneKind.CHAT_MEMBER.of(id_)
        kind = "my_chat_member" if is_own else "chat_member"
        news = News(kind=kind, content=content, lane=lane, expires_at=world.now() + DAY_SECONDS, chat=new.key)
        world.updates.push(bot, news)


def _status(chat: LocalChat, id_: int) -> Status:
    """Return the status of `id_` in the chat. A bot that is blocked in a private chat counts as kicked (Bot API:
    my_chat_member).
    """
    return Status.KICKED if chat.blocked else chat.status_of(id_)
