from local.telegram.chats import ChatType, LocalChat, LocalChats, Status, Topic, group_key, private_key
from local.telegram.store import WorldStore


def group(chats: LocalChats, type_: ChatType = ChatType.SUPERGROUP) -> LocalChat:
    id_ = chats.next_group_id(type_)
    return chats.keep(
        LocalChat(key=group_key(id_), type=type_, id=id_, title="Team", creator=1, members=(1, 2), admins=(1,))
    )


def test_ids_of_groups_lie_where_telegrams_do() -> None:
    chats = LocalChats(WorldStore(None))
    basic, big = group(chats, ChatType.GROUP), group(chats)
    assert str(basic.id).startswith("-4")
    assert str(big.id).startswith("-100")
    assert basic.key == f"g{-basic.id}"
    assert group(chats).id not in (basic.id, big.id)


def test_what_somebody_is_to_a_chat() -> None:
    chat = group(LocalChats(WorldStore(None))).with_member(7, is_bot=True, is_admin=True).with_member(8, is_bot=True)
    assert [chat.status_of(id_).value for id_ in (1, 2, 7, 8, 9)] == [
        "creator",
        "member",
        "administrator",
        "member",
        "left",
    ]
    kicked = chat.without_member(7, is_kicked=True).without_member(2, is_kicked=False)
    assert kicked.status_of(7) is Status.KICKED
    assert kicked.status_of(2) is Status.LEFT
    assert kicked.with_member(7, is_bot=True).status_of(7) is Status.MEMBER


def test_a_bot_sees_the_chats_that_it_is_or_was_in() -> None:
    chats = LocalChats(WorldStore(None))
    chat = chats.keep(group(chats).with_member(7, is_bot=True))
    assert chats.seen_by(7, chat.id) == chat
    assert chats.seen_by(8, chat.id) is None
    chats.keep(chat.without_member(7, is_kicked=True))
    assert chats.seen_by(7, chat.id) is not None


def test_a_private_chat_is_named_by_the_person() -> None:
    chats = LocalChats(WorldStore(None))
    key = private_key(5, 7)
    chats.keep(LocalChat(key=key, type=ChatType.PRIVATE, id=5, person_id=5, bot_id=7))
    found = chats.seen_by(7, 5)
    assert found is not None
    assert found.key == "p5-7"
    assert chats.seen_by(8, 5) is None


def test_a_topic_is_found_by_its_id() -> None:
    chat = LocalChat(key="g1", type=ChatType.SUPERGROUP, id=-1, topics=(Topic(id=3, name="Backend"),))
    assert chat.topic(3) == Topic(id=3, name="Backend")
    assert chat.topic(4) is None
