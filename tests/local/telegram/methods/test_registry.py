from local.telegram.methods.registry import METHODS
from local.telegram.spec import bot_api


def test_every_method_is_one_of_the_bot_api() -> None:
    assert METHODS.keys() <= bot_api().methods.keys()


def test_what_lull_calls_is_there() -> None:
    needed = (
        "setWebhook getWebhookInfo deleteWebhook getMe sendMessage sendChatAction sendMessageDraft editMessageText "
        "deleteMessage setMessageReaction sendSticker sendPhoto getFile getStickerSet getChat getChatMember "
        "getChatMemberCount answerCallbackQuery setMyCommands getMyCommands deleteMyCommands leaveChat banChatMember"
    )
    assert {name.lower() for name in needed.split()} <= METHODS.keys()
