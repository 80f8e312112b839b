"""Ways in which a person's name is stored: texts that the agent wrote to others, and the wording that must remain of
each text after the person is forgotten.
"""

from benchmarks.forgetting.way import BOB, EVE, ZED, Way, agent, bob, eve, own, room, zed
from shared.values.message import Author
from tests.shared.examples import said

#: the forgotten person's name, the agent's text to others, and the text that must remain
_READS = (
    ("Zedrick Quillonby", "Zedrick Quillonby brings the lamp.", "[erased] brings the lamp."),
    ("Zedrick Quillonby", "Zedrick brings the lamp.", "[erased] brings the lamp."),
    ("Zedrick Quillonby", "Ask Mr Quillonby for the lamp.", "Ask Mr [erased] for the lamp."),
    ("Zedrick Quillonby", "so zedrick has the lamp", "so [erased] has the lamp"),
    ("Zedrick Quillonby", "SO ZEDRICK HAS THE LAMP", "SO [erased] HAS THE LAMP"),
    ("ROBERT TABLES", "Robert has the lamp.", "[erased] has the lamp."),
    ("Zedrick Quillonby", "It is Zedrick's lamp.", "It is [erased]'s lamp."),
    ("Zedrick Quillonby", "Quillonby, Zedrick: one lamp.", ": one lamp."),
    ("Zedrick Quillonby", "Z. Quillonby has the lamp.", "[erased] has the lamp."),
    ("Zedrick Quillonby", "Write to @zedrick_q of the lamp.", "Write to @[erased] of the lamp."),
    ("Zedrick Quillonby", "See t.me/zedrick_q, the lamp.", "See t.me/[erased], the lamp."),
    ("Anne-Marie Vosslund", "Anne-Marie likes the lamp.", "[erased] likes the lamp."),
    ("Siobhan O'Dowling", "O'Dowling likes the lamp.", "[erased] likes the lamp."),
    ("José Quiñonero", "Jose likes the lamp.", "[erased] likes the lamp."),
    ("Jose\u0301 Quin\u0303onero", "José Quiñonero has the lamp.", "[erased] has the lamp."),
    ("José Quiñonero", "Jose\u0301 has the lamp.", "[erased] has the lamp."),
    ("Li", "Li said the lamp is on.", "[erased] said the lamp is on."),
    ("Bo", "I told Bo about the lamp.", "I told [erased] about the lamp."),
    ("Олена Петренко", "Я сказав Олені про лампу.", "Я сказав [erased] про лампу."),
    ("Олена Петренко", "Бачив Олену, лампа її.", "Бачив [erased], лампа її."),
    ("Тарас Гнатюк", "Лампа в Тараса.", "Лампа в [erased]."),
    ("Ольга Сергеева", "Я сказал Ольге про лампу.", "Я сказал [erased] про лампу."),
    ("Дмитрий Кузьмичёв", "Спроси Дмитрия Кузьмичёва про лампу.", "Спроси [erased] про лампу."),
    ("Дмитрий Кузьмичёв", "Это лампа Кузьмичева.", "Это лампа [erased]."),
    ("Katarzyna Wielgosz", "Zapytaj Katarzynę o lampę.", "Zapytaj [erased] o lampę."),
    ("Zbigniew Wielgosz", "Lampa jest u Zbigniewa.", "Lampa jest u [erased]."),
    ("王小明", "我告诉王小明灯的事。", "我告诉[erased]灯的事。"),
    ("田中太郎", "ランプは田中さんのです。", "ランプは[erased]さんのです。"),
    ("สมชาย ใจกล้า", "โคมไฟของคุณสมชายครับ", "โคมไฟของคุณ[erased]ครับ"),
    ("김철수", "램프는 김철수 씨의 것입니다.", "램프는 [erased] 씨의 것입니다."),
    ("محمود الزيات", "سألت محمود عن المصباح.", "سألت [erased] عن المصباح."),
    ("Γιώργος Παπαδάκης", "Είπα στον Γιώργο για τη λάμπα.", "Είπα στον [erased] για τη λάμπα."),
    ("Ян Ткачук", "Лампа в Яна.", "Лампа в [erased]."),
    ("Коломієць", "Лампа в Коломійця.", "Лампа в [erased]."),
    ("Оля Гнатюк", "Оль, это лампа.", "[erased], это лампа."),
    ("Κώστας", "Η ΛΑΜΠΑ ΤΟΥ ΚΩΣΤΑ.", "Η ΛΑΜΠΑ ΤΟΥ [erased]."),
    ("عبد الرحمن الزيات", "المصباح عند عبدالرحمن الآن.", "المصباح عند [erased] الآن."),
    ("Zedrick Quillonby", "Ask __Quillonby__ for the lamp.", "Ask __[erased]__ for the lamp."),
    ("Zedrick Quillonby", "The lamp, #ZedrickQuillonby", "The lamp, #[erased]"),
    ("K@tya", "K@tya has the lamp.", "[erased] has the lamp."),
    ("j.doe", "Ask j.doe for the lamp.", "Ask [erased] for the lamp."),
    ("Z\u0337e\u0337drick", "Zedrick has the lamp.", "[erased] has the lamp."),
    ("🦊", "🦊 said so of the lamp.", "[erased] said so of the lamp."),
    ("🦊🌙", "🦊🌙 has the lamp.", "[erased] has the lamp."),
)

#: texts that must not change: the forgotten person's name, somebody else's name, the agent's text, and the reason why
#: the word in the text is not the forgotten person's name
_KEEPS = (
    ("Zedrick Quillonby", "Zedrick Bean", "Zedrick brings the lamp.", "another one of that first name"),
    ("Zedrick Quillonby", "Zedrick Bean", "Zedrick Bean brings the lamp.", "another one, whole"),
    ("Mark Quillonby", "Bob", "Please mark the lamp.", "a verb"),
    ("Will Quillonby", "Bob", "It will be the lamp.", "an auxiliary"),
    ("May Quillonby", "Bob", "The lamp comes in May.", "a month"),
    ("Li", "Bob", "The link of the lamp is live.", "two letters in a word"),
    ("Роман Гнатюк", "Bob", "Я читаю роман про лампу.", "a novel"),
    ("Надія Гнатюк", "Bob", "Є надія на лампу.", "hope"),
    ("高兴", "Bob", "很高兴见到这盏灯。", "glad"),
    ("...", "Bob", "Well... the lamp is on...", "dots"),
    ("❤️", "Bob", "Thanks ❤️ for the lamp.", "a heart"),
    ("🇺🇦", "Bob", "The lamp of 🇺🇦.", "a flag"),
    ("42", "Bob", "It costs 42 lamps.", "a count"),
    ("Team Lead", "Bob", "The team has a lead lamp.", "a word behind an article"),
    ("عبد الله", "Bob", "إن شاء الله المصباح.", "God"),
    ("Rosa Quillonby", "Bob", "La rosa y la lámpara.", "a rose"),
)


def _way(name: str, leaver: str, other: str, text: str, left: str) -> Way:
    who = Author(id=ZED.id, name=leaver, username=ZED.username)
    asked = (said("tea?", author=who), agent("Tea."), said("so?", author=Author(id=EVE.id, name=other)))
    there = room(*asked, agent(text))
    gone, stays = ((text,), ()) if left != text else ((), (text,))
    return Way(name, (there,), gone=gone, stays=stays, comes=(left,), leaver=who)


_TOLD = [_way(f"called {who}: {text}", who, "Ann", text, left) for who, text, left in _READS]
_KEPT = [_way(f"not called {who}: {why}", who, other, text, text) for who, other, text, why in _KEEPS]

NAMED = (
    *_TOLD,
    *_KEPT,
    Way(
        "who came into the group",
        (room(zed("tea?"), bob("Zedrick Quillonby joined the group", is_service=True)),),
        gone=("Quillonby",),
    ),
    Way(
        "the former name of who was called otherwise then",
        (
            own(zed("hi")),
            room(
                said("tea?", author=Author(id=ZED.id, name="Winthrop")),
                agent("Tea."),
                bob("so?"),
                agent("Winthrop does."),
            ),
        ),
        gone=("Winthrop",),
    ),
    Way(
        "what others call them themselves is theirs",
        (room(zed("tea?"), bob("Zedrick brings the gramophone"), eve("good")),),
        gone=(),
        stays=("Zedrick brings the gramophone", BOB.name, EVE.name),
    ),
)
