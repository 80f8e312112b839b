"""The expected result of each of the 94 updates: its urgency, its entry, and the reason for an answer or silence."""

from typing import Final, NamedTuple


class Expected(NamedTuple):
    """`entry` is the type of the entry, `service` for a message without an author; `words` is the note, or
    the media.
    """

    urgency: str
    entry: str
    reason: str = ""
    words: str = ""


EXPECTED: Final = {
    "text_start_command_deeplink": Expected("now", "message", "private chat"),
    "text_plain_private": Expected("soon", "message", "private chat"),
    "text_group_mention": Expected("soon", "message", "mentioned"),
    "text_group_command_suffixed": Expected("now", "message", "named by a command"),
    "text_all_entity_types": Expected("soon", "message", "private chat"),
    "text_rtl_zero_width_nul_free": Expected("later", "message", "not addressed"),
    "reply_to_bot": Expected("soon", "message", "a reply to the agent"),
    "reply_to_other_user": Expected("later", "message", "not addressed"),
    "external_reply": Expected("later", "message", "not addressed"),
    "reply_to_story": Expected("soon", "message", "private chat"),
    "reply_to_deleted_message_stub": Expected("later", "message", "not addressed"),
    "forward_origin_hidden_user": Expected("soon", "message", "private chat"),
    "forward_origin_chat": Expected("later", "message", "not addressed"),
    "forward_origin_channel": Expected("later", "message", "not addressed", "a photo"),
    "anonymous_group_admin": Expected("later", "message", "not addressed"),
    "message_as_channel": Expected("later", "message", "not addressed"),
    "via_inline_bot": Expected("later", "message", "not addressed"),
    "protected_content_from_offline": Expected("soon", "message", "private chat"),
    "edited_message_text": Expected("later", "edit"),
    "edited_message_caption": Expected("soon", "edit"),
    "channel_post_text": Expected("later", "message", "a channel's post"),
    "edited_channel_post": Expected("later", "edit"),
    "photo_sizes_caption_entities": Expected("soon", "message", "mentioned", "a photo"),
    "photo_spoiler_caption_above": Expected("later", "message", "not addressed", "a photo, covered as a spoiler"),
    "album_photo_1_of_3": Expected("later", "message", "not addressed", "a photo"),
    "album_photo_2_of_3": Expected("later", "message", "not addressed", "a photo"),
    "album_photo_3_of_3": Expected("later", "message", "not addressed", "a photo"),
    "album_document_1_of_2": Expected("later", "message", "not addressed", "a file: a.pdf"),
    "album_document_2_of_2": Expected("later", "message", "not addressed", "a file: b.csv"),
    "document_no_mime_huge": Expected("soon", "message", "private chat", "a file: ..\\..\\evil\u202etxt.exe"),
    "voice": Expected("soon", "message", "private chat", "a voice message"),
    "video_with_thumbnail": Expected("later", "message", "not addressed", "a video"),
    "animation_gif": Expected("later", "message", "not addressed", "a GIF"),
    "audio_track": Expected("soon", "message", "private chat", "an audio file: Π., Song #1"),
    "sticker_animated_tgs": Expected("later", "message", "not addressed", "a sticker: 🔥 fire"),
    "sticker_reply_to_bot": Expected("soon", "message", "a reply to the agent", "a sticker: 🔥 fire"),
    "contact": Expected("soon", "message", "private chat", "a contact: Zoë, +15550100"),
    "venue": Expected("later", "message", "not addressed", "a place: Tour Eiffel, Paris, 48.85840, 2.29450"),
    "dice": Expected("later", "message", "not addressed", "a throw of 🎲: 6"),
    "message_with_poll": Expected("later", "message", "not addressed", "a poll: Lunch? (Pizza 🍕 (2 votes); Суп)"),
    "message_quiz_poll": Expected(
        "later", "message", "not addressed", "a quiz: Lunch? (Pizza 🍕 (2 votes); Суп); explanation: because soup"
    ),
    "checklist": Expected("soon", "message", "private chat", "a checklist: Groceries (milk (done); eggs)"),
    "users_shared_and_chat_shared": Expected("soon", "service", "an event, nothing said", "shared people: Боб"),
    "web_app_data": Expected("soon", "service", "an event, nothing said", 'sent data from a web app: {"k":1}'),
    "proximity_alert": Expected("later", "service", "an event, nothing said", "came near"),
    "forum_topic_message": Expected("later", "message", "not addressed"),
    "forum_general_topic_message": Expected("later", "message", "not addressed"),
    "forum_topic_edited": Expected("later", "service", "an event, nothing said", "changed a topic: QA & CI"),
    "forum_topic_closed": Expected("later", "service", "an event, nothing said", "closed a topic"),
    "general_forum_topic_hidden": Expected("later", "service", "an event, nothing said", "hid the General topic"),
    "reply_to_bot_inside_topic": Expected("soon", "message", "a reply to the agent"),
    "direct_messages_topic": Expected("soon", "message", "private chat"),
    "new_chat_members_bot_added": Expected("later", "service", "an event, nothing said", "the agent joined the group"),
    "left_chat_member": Expected("later", "service", "an event, nothing said", "Боб left the group"),
    "group_chat_created": Expected("later", "service", "an event, nothing said", "created the group"),
    "migrate_to_chat_id": Expected("soon", "service", "an event, nothing said", "turned the group into a supergroup"),
    "migrate_from_chat_id": Expected(
        "later", "service", "an event, nothing said", "turned the group into a supergroup"
    ),
    "new_chat_title": Expected("later", "service", "an event, nothing said", "renamed the group: Project Chat 2"),
    "new_chat_photo": Expected("later", "service", "an event, nothing said", "changed the group's photo"),
    "delete_chat_photo": Expected("later", "service", "an event, nothing said", "removed the group's photo"),
    "auto_delete_timer_changed": Expected(
        "later", "service", "an event, nothing said", "changed how long messages are kept"
    ),
    "video_chat_started": Expected("later", "service", "an event, nothing said", "started a video chat"),
    "video_chat_ended": Expected("later", "service", "an event, nothing said", "ended a video chat"),
    "video_chat_participants_invited": Expected(
        "later", "service", "an event, nothing said", "invited people to a video chat"
    ),
    "boost_added": Expected("later", "service", "an event, nothing said", "boosted the chat"),
    "giveaway_completed": Expected("later", "service", "an event, nothing said", "ended a giveaway"),
    "successful_payment": Expected("soon", "service", "an event, nothing said", "paid"),
    "connected_website": Expected("soon", "service", "an event, nothing said", "connected a website"),
    "callback_query_data": Expected("now", "press"),
    "callback_query_inline_message_id": Expected("now", "event"),
    "inline_query": Expected("later", "event"),
    "chosen_inline_result": Expected("later", "event"),
    "message_reaction_changed_custom_paid": Expected("later", "reaction"),
    "message_reaction_anonymous_removed": Expected("later", "reaction"),
    "my_chat_member_added_to_group": Expected("now", "event"),
    "my_chat_member_promoted": Expected("now", "event"),
    "my_chat_member_blocked_by_user": Expected("now", "event"),
    "my_chat_member_restricted": Expected("now", "event"),
    "chat_member_joined_by_invite_link": Expected("later", "event"),
    "chat_member_owner_transfer": Expected("later", "event"),
    "chat_join_request": Expected("later", "event"),
    "poll_state": Expected("later", "event"),
    "poll_answer_vote": Expected("later", "event"),
    "pre_checkout_query": Expected("later", "event"),
    "shipping_query": Expected("later", "event"),
    "purchased_paid_media": Expected("later", "event"),
    "business_connection": Expected("later", "event"),
    "business_message": Expected("later", "event"),
    "business_message_sent_by_bot": Expected("later", "event"),
    "deleted_business_messages": Expected("later", "event"),
    "chat_boost": Expected("later", "event"),
    "mention_in_code_block": Expected("later", "message", "not addressed"),
    "mention_case_insensitive": Expected("soon", "message", "mentioned"),
    "duplicate_delivery_same_update_id": Expected("soon", "message", "mentioned"),
}
