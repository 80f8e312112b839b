import pytest
from telegram.error import BadRequest, Forbidden, InvalidToken

from local.telegram.files import MAX_DOWNLOAD_BYTES, StoredFile, file_id_for
from local.telegram.messages import MessageField
from local.telegram.stickers import SET_NAME
from tests.local.telegram.scene import OTHER_TOKEN, Scene, client


async def test_chats_are_described(sandbox: Scene) -> None:
    group = await sandbox.group(topics=True)
    private, team = await sandbox.bot.get_chat(sandbox.ann), await sandbox.bot.get_chat(group["id"])
    assert (private.first_name, private.username, private.type) == ("Ann", "ann_a", "private")
    assert (team.title, team.is_forum, team.type) == ("Team", True, "supergroup")
    assert team.permissions is not None
    assert team.permissions.can_send_messages
    for chat_id in (sandbox.ann, group["id"]):
        await sandbox.call("getChat", chat_id=chat_id)


@pytest.mark.parametrize("chat_id", [0, -1, 5, "@nobody", "not_a_chat"])
async def test_a_chat_that_is_not_there_is_not_found(sandbox: Scene, chat_id: object) -> None:
    assert await sandbox.error("getChat", chat_id=chat_id) == (400, "Bad Request: chat not found")


async def test_a_bot_cannot_begin_a_conversation(sandbox: Scene) -> None:
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await sandbox.bot.send_message(sandbox.bob, "hi")
    with pytest.raises(Forbidden, match="bot can't send messages to bots"):
        await sandbox.bot.send_message(sandbox.marvin, "hi")


async def test_members_are_what_they_are(sandbox: Scene) -> None:
    group = await sandbox.group()
    for user, status in ((sandbox.ann, "creator"), (sandbox.bob, "member"), (sandbox.marvin, "member")):
        assert (await sandbox.bot.get_chat_member(group["id"], user)).status == status
        await sandbox.call("getChatMember", chat_id=group["id"], user_id=user)
    assert await sandbox.bot.get_chat_member_count(group["id"]) == 3
    assert await sandbox.bot.get_chat_member_count(sandbox.ann) == 2
    with pytest.raises(BadRequest, match="Participant_id_invalid"):
        await sandbox.bot.get_chat_member(group["id"], 5)


async def test_administrators_are_listed_without_other_bots(sandbox: Scene) -> None:
    other = await sandbox.act("POST", "/world/bots", {"token": OTHER_TOKEN, "first_name": "O", "username": "other_bot"})
    group = await sandbox.group(bots=[sandbox.marvin, other["id"]], admins=[sandbox.bob, sandbox.marvin, other["id"]])
    found = await sandbox.bot.get_chat_administrators(group["id"])
    assert {member.user.id for member in found} == {sandbox.ann, sandbox.bob, sandbox.marvin}
    with pytest.raises(BadRequest, match="no administrators in the private chat"):
        await sandbox.bot.get_chat_administrators(sandbox.ann)


async def test_a_file_is_fetched_by_the_bot_that_saw_it(sandbox: Scene) -> None:
    content = sandbox.telegram.world.files.content(sandbox.telegram.world.stickers.regular()[0].unique_id)
    assert content is not None
    sent = await sandbox.bot.send_photo(sandbox.ann, content)
    file = await sandbox.bot.get_file(sent.photo[-1].file_id)
    assert file.file_size == len(content)
    assert file.file_path is not None
    assert file.file_path.endswith(".png")
    assert await file.download_as_bytearray() == content
    await sandbox.act("POST", "/world/bots", {"token": OTHER_TOKEN, "first_name": "O", "username": "other_bot"})
    async with client(sandbox.telegram, OTHER_TOKEN) as other:
        with pytest.raises(BadRequest, match="Invalid file_id"):
            await other.get_file(sent.photo[-1].file_id)


async def test_a_big_file_cannot_be_fetched(sandbox: Scene) -> None:
    kept = sandbox.telegram.world.files
    for size, is_too_big in ((MAX_DOWNLOAD_BYTES, False), (MAX_DOWNLOAD_BYTES + 1, True)):
        file = StoredFile(unique_id="", kind=MessageField.DOCUMENT, size=0, name="a.zip", mime_type="application/zip")
        file_id = file_id_for(kept.add(file, bytes(size)), sandbox.marvin)
        answer = await sandbox.raw_call("getFile", file_id=file_id)
        assert answer.get("description") == ("Bad Request: file is too big" if is_too_big else None)


@pytest.mark.parametrize("path", ["photos/nothing.png", "x", "../telegram.sqlite3"])
async def test_only_files_that_are_there_are_served(sandbox: Scene, path: str) -> None:
    token = sandbox.bot.token
    assert (await sandbox.http.get(f"/file/bot{token}/{path}")).status_code == 404
    assert (await sandbox.http.get(f"/file/bot{OTHER_TOKEN}/{path}")).status_code in (401, 404)


async def test_the_sticker_set_is_found_in_any_case(sandbox: Scene) -> None:
    found = await sandbox.bot.get_sticker_set(SET_NAME.upper())
    assert (found.name, len(found.stickers)) == (SET_NAME, 6)
    sent = await sandbox.bot.send_sticker(sandbox.ann, found.stickers[0])
    assert sent.sticker == found.stickers[0]
    await sandbox.call("getStickerSet", name=SET_NAME)
    with pytest.raises(BadRequest, match="Stickerset_invalid"):
        await sandbox.bot.get_sticker_set("Nothing_by_lull")


async def test_a_wrong_token_opens_nothing(sandbox: Scene) -> None:
    with pytest.raises(InvalidToken):
        async with client(sandbox.telegram, OTHER_TOKEN):
            pass
