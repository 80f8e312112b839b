"""The first estimate: in every script, the first prompt fits its budget."""

from dataclasses import replace

import pytest

from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.estimate import tokens_in, with_estimate
from shared.planning.prompt.scene import FIRST_CHARACTERS_PER_TOKEN, LEAST
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import said
from tests.shared.planning.prompt.scenes import long_talk, scene, texts_of

#: everyday sentences, and how many tokens Qwen2.5 makes of three of each (its own tokenizer, 2026-11-22)
COUNTED = {
    "It's the old house with the green door, right behind the station. You can't miss it, there is a bakery in front. "
    "ok thanks! lol brb": 102,
    "Хто сьогодні веде собаку до ветеринара? Я зможу тільки після шостої. Добре, тоді я візьму її о п'ятій.": 180,
    "Сегодня вечером собираемся у нас, приходите все, кто сможет, будет весело и вкусно!": 75,
    "明日の会議は十時からですか？資料はまだできていません。はい、十時です。ありがとうございます！": 78,
    "明天的会议几点开始？资料还没有准备好。好的，谢谢大家！": 45,
    "내일 회의는 몇 시에 시작하나요? 자료는 아직 준비되지 않았어요. 감사합니다!": 81,
    "مرحبا! كيف حالك اليوم؟ متى يبدأ الاجتماع غدا؟ شكرا جزيلا لكم جميعا": 70,
    "سلام! امروز حالت چطور است؟ جلسه فردا ساعت چند شروع می‌شود؟": 96,
    "שלום! מה שלומך היום? מתי מתחילה הישיבה מחר? תודה רבה לכולם": 66,
    "नमस्ते! आज आप कैसे हैं? कल बैठक कितने बजे शुरू होगी? बहुत धन्यवाद": 192,
    "สวัสดีครับ วันนี้เป็นอย่างไรบ้าง พรุ่งนี้ประชุมกี่โมง ขอบคุณมากครับ": 120,
    "வணக்கம்! இன்று எப்படி இருக்கிறீர்கள்? நாளை கூட்டம் எப்போது தொடங்கும்?": 228,
    "გამარჯობა! როგორ ხარ დღეს? როდის იწყება შეხვედრა ხვალ? დიდი მადლობა": 201,
    "ሰላም! ዛሬ እንዴት ነህ? ስብሰባው ነገ መቼ ይጀምራል? በጣም አመሰግናለሁ": 180,
    "Καλημέρα! Τι κάνεις σήμερα; Πότε αρχίζει η συνάντηση αύριο; Ευχαριστώ πολύ": 204,
    "¿Alguien ha visto mis llaves? Creo que las dejé en la cocina ayer por la noche.": 75,
    "Xin chào! Hôm nay bạn thế nào? Ngày mai cuộc họp bắt đầu lúc mấy giờ? Cảm ơn nhiều": 78,
    "Cześć! Jak się dziś masz? O której jutro zaczyna się spotkanie? Dziękuję bardzo wszystkim": 87,
    "Merhaba! Bugün nasılsın? Yarın toplantı saat kaçta başlıyor? Çok teşekkür ederim": 78,
    "😂😂😂🔥🔥❤️❤️👍🏽👩‍👩‍👧🎉🥳😭🙏✨💀🤣😍🇺🇦🇯🇵🫠🫡🧿": 111,
    "1234567890 2026-03-01 12:00 +380501234567": 120,
    "∑∫√≈≠∞→←⇒𝓗𝓮𝓵𝓵𝓸 𝕏 ①②③ ★☆♥": 84,
}


@pytest.mark.parametrize("text", COUNTED)
def test_no_script_takes_more_than_is_estimated_and_none_much_less(text: str) -> None:
    assert COUNTED[text] <= 1.05 * 3 * tokens_in(text)
    assert 3 * tokens_in(text) < 2.5 * COUNTED[text]


DENSE = {
    "emoji": "😂🔥👍🎉🥳😭🙏✨",
    "Tamil": "வணக்கம்! இன்று எப்படி இருக்கிறீர்கள்? ",
    "Amharic": "ሰላም! ዛሬ እንዴት ነህ? ",
    "digits": "3141592653",
    "Greek": "Καλημέρα! Τι κάνεις σήμερα; ",
}


@pytest.mark.parametrize("script", DENSE)
@pytest.mark.parametrize("prompt_format", PromptFormat)
def test_the_first_prompt_of_a_dense_script_holds_its_budget(script: str, prompt_format: PromptFormat) -> None:
    talk = long_talk(400, DENSE[script] * 8)
    new = scene(*talk, format=prompt_format, characters_per_token=0.0, max_tokens=4_000, targets=[500])
    prompt = assemble_prompt(with_estimate(new))
    assert 2_000 < tokens_in(prompt.system + texts_of(prompt)) <= 4_000 * 1.05
    before = assemble_prompt(replace(new, room=replace(new.room, characters_per_token=FIRST_CHARACTERS_PER_TOKEN)))
    assert tokens_in(before.system + texts_of(before)) > 4_000 * 1.05


def test_one_first_message_of_emoji_holds_the_budget_too() -> None:
    new = scene(said("😂" * 4_096), characters_per_token=0.0, max_tokens=6_000, targets=[1])
    assert 4_500 < tokens_in(texts_of(assemble_prompt(with_estimate(new)))) <= 6_000


def test_sparse_scripts_are_estimated_as_ever() -> None:
    english = scene(*long_talk(40, "word " * 40), characters_per_token=0.0)
    assert with_estimate(english).room.characters_per_token == FIRST_CHARACTERS_PER_TOKEN


def test_what_is_learned_of_a_chat_stays() -> None:
    known = scene(said("😂" * 900), characters_per_token=3.3)
    assert with_estimate(known) is known


def test_only_what_may_be_shown_counts() -> None:
    talk = [*long_talk(300, "word " * 60), *(said("😂" * 500, message_id=n, seq=n) for n in range(401, 440))]
    found = with_estimate(scene(*talk, characters_per_token=0.0, max_tokens=4_000)).room.characters_per_token
    assert LEAST <= found < 0.7
    found = with_estimate(scene(*reversed(talk), characters_per_token=0.0, max_tokens=4_000)).room.characters_per_token
    assert found == 2.0
