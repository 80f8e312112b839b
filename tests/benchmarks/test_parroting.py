import pytest

from benchmarks.parroting import is_parroting


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("my cat is called Miso and she hates rain", "Your cat is called Miso and she hates rain!"),
        ("I am tired of pasta", "You are tired of pasta."),
        ("what is the capital of Italy?", "What is the capital of Italy?"),
        ("what is the capital of Italy?", "The capital of Italy is what?"),
        ("mein Hund heißt Bruno und schläft den ganzen Tag", "Dein Hund heisst Bruno und schläft den ganzen Tag."),
        ("mi bicicleta nueva es roja y muy rápida", "TU BICICLETA NUEVA ES ROJA Y MUY RAPIDA"),
        ("сьогодні я посадила в саду дві яблуні", "Сьогодні ти посадила в саду дві яблуні!"),
        ("@lull_bot was kann man an einem Regentag machen?", "Was kann man an einem Regentag machen?"),
        ("今日は新しい自転車を買いました", "今日は新しい自転車を買いました。"),
        ("我今天买了一辆新自行车", "你今天买了一辆新自行车"),
        ("hello, can you tell me what the capital of Italy is?", "Can you tell me what the capital of Italy is?"),
    ],
)
def test_an_answer_in_the_words_of_the_question_repeats_it(question: str, answer: str) -> None:
    assert is_parroting(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what is the capital of Italy?", "The capital of Italy is Rome."),
        ("what is the capital of Italy?", "Rome."),
        ("was ist die Hauptstadt von Österreich?", "Die Hauptstadt von Österreich ist Wien."),
        ("my cat is called Miso and she hates rain", "Miso is a lovely name! Many cats hate rain."),
        ("яка столиця Франції?", "Столиця Франції — Париж."),
        ("日本の首都はどこですか", "日本の首都は東京です"),
        ("中国的首都是哪里", "北京"),
        ("hi! how are you?", "Hi! How are you?"),
        ("¡hola! ¿qué tal estás?", "¡Hola! ¿Qué tal estás tú?"),
        ("привіт! як справи?", "Привіт! Як справи?"),
        ("你好", "你好"),
        ("shall we go?", "Go!"),
        ("anything", ""),
        ("", "anything at all is fine"),
    ],
)
def test_an_answer_with_words_of_its_own_or_a_greeting_does_not(question: str, answer: str) -> None:
    assert not is_parroting(answer, question)
