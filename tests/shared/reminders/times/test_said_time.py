"""Tests of reading when a person wants to be reminded, from their words."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.reminders.times.proposal import ResolvedTime, TimeProposal, resolve_time
from shared.reminders.times.said_time import said_time

#: a Monday
NOW = datetime(2026, 11, 30, 11, tzinfo=UTC)

#: the first time, the rule of a repetition, and the request
READ = """
Mon 11-30 13:00 | remind me in 2 hours to make tea
Mon 11-30 12:30 | remind me in an hour and a half to make tea
Mon 11-30 12:15 | remind me in 1 hour and 15 minutes to go
Tue 12-01 09:00 | remind me tomorrow at 9 to call mum
Tue 12-01 09:00 | remind me to call mum tomorrow at 9
Mon 11-30 20:00 | Please remind me tonight at 8 to call mum.
Fri 12-04 10:30 | remind me on Friday at 10:30 to call
Sat 12-05 09:00 | remind me on the 5th to pay rent
Sat 12-05 10:00 | remind me on the 5th at 10 am to pay rent
Sat 12-05 18:00 | remind me 5 December 18:00 to pay
Sat 12-05 18:00 | remind me on 5 December at 18:00 to pay
Tue 12-01 08:00 FREQ=DAILY | remind me every day at 8 to stretch
Tue 12-01 08:00 FREQ=DAILY | remind me everyday at 8 to stretch
Tue 12-01 08:30 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR | remind me every weekday at 8:30 to stretch
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | remind me every Monday at 9 to send the report
Mon 11-30 17:00 | remind me at 5 to go
Tue 12-01 09:00 | remind me at 9 am to go
Mon 11-30 18:00 | remind me to go at 6pm
Tue 12-01 09:00 | tomorrow at 9 remind me to go
Fri 12-04 09:00 | remind me on fri at 9 to go
Tue 12-01 09:00 FREQ=DAILY | remind me daily at 9 to go
Tue 12-01 09:00 | remind me tomorrow
Tue 12-01 09:00 | remind me tomorrow, please
Mon 11-30 12:00 | remind me at noon to eat
Tue 12-01 00:00 | remind me at midnight to sleep
Tue 12-01 00:00 | remind me at 12 am to go
Mon 11-30 13:00 FREQ=HOURLY;INTERVAL=2 | remind me every 2 hours to drink water
Tue 12-01 15:00 | remind me tomorrow to call mum at 15:00
Tue 12-01 09:00 | recuérdame mañana a las 9 llamar al médico
Tue 12-01 21:00 | recuérdame mañana a las 9 de la tarde llamar
Tue 12-01 20:00 | recuérdame mañana a las 8 de la tarde llamar
Mon 11-30 11:30 | recuérdame en 30 minutos que saque la basura
Tue 12-01 08:30 | recuérdame llamar a mamá mañana a las ocho y media
Tue 12-01 09:00 | erinnere mich morgen um 9 daran, den Arzt anzurufen
Tue 12-01 09:00 | erinnere mich morgen um 9 an den Termin
Tue 12-01 09:00 | erinnere mich morgen um 9 Uhr, den Arzt anzurufen
Mon 11-30 20:30 | erinnere mich um halb neun abends an den Tee
Tue 12-01 08:30 | erinnere mich morgen um halb neun an den Tee
Mon 11-30 12:30 | erinnere mich in anderthalb Stunden an den Tee
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | erinnere mich jeden Montag um 9 an den Bericht
Mon 11-30 11:20 | erinnere mich in 20 Minuten daran, die Wäsche aufzuhängen
Mon 11-30 20:00 | erinnere mich heute Abend um 8 an Mama
Wed 12-02 14:00 | erinnere mich am Mittwoch um 14 Uhr daran
Sat 12-05 18:00 | erinnere mich am 5. Dezember um 18 Uhr daran
Tue 12-01 08:00 FREQ=DAILY | erinnere mich täglich um 8 daran, zu trinken
Tue 12-01 09:00 | напомни мне завтра в 9 позвонить маме
Tue 12-01 09:00 | напомни мне завтра в 9 утра позвонить маме
Mon 11-30 11:30 | напомни через полчаса выключить духовку
Mon 11-30 12:00 | напомни через час позвонить
Mon 11-30 12:30 | напомни через полтора часа позвонить
Tue 12-01 09:00 | напомни мне позвонить маме завтра в 9
Fri 12-04 18:00 | напомни в пятницу в 18:00 сдать отчёт
Tue 12-01 08:00 FREQ=DAILY | напоминай каждый день в 8 пить воду
Tue 12-01 08:30 | напомни завтра в половине девятого позвонить
Tue 12-01 09:00 | нагадай мені завтра о 9 подзвонити мамі
Mon 11-30 12:00 | нагадай за годину вимкнути духовку
Mon 11-30 11:10 | нагадай мені через 10 хвилин вимкнути духовку
Mon 11-30 20:30 | нагадай о пів на дев'яту вечора подзвонити
Tue 12-01 08:30 | нагадай завтра о пів на дев'яту подзвонити
Mon 12-07 08:00 FREQ=WEEKLY;BYDAY=MO | нагадуй щопонеділка о 8 здати звіт
Fri 12-04 10:30 | нагадай у п'ятницю о 10:30 про звіт
Sat 12-05 18:00 | нагадай 5 грудня о 18:00 про звіт
Tue 12-01 09:00 | rappelle-moi demain à 9h d'appeler maman
Mon 11-30 11:30 | rappelle-moi dans une demi-heure de fermer le four
Tue 12-01 08:30 | rappelle-moi demain à 8 heures et demie d'appeler
Tue 12-01 08:00 FREQ=DAILY | rappelle-moi tous les jours à 8h de boire
Tue 12-01 09:00 | ricordami domani alle 9 di chiamare
Mon 11-30 12:00 | ricordami tra un'ora di spegnere il forno
Tue 12-01 08:30 | ricordami domani alle otto e mezza di chiamare
Tue 12-01 09:00 | me lembre amanhã às 9h de ligar
Mon 11-30 11:20 | me lembra daqui a 20 minutos de desligar o forno
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | lembre-me toda segunda às 9 de enviar
Tue 12-01 09:00 | przypomnij mi jutro o 9 zadzwonić do mamy
Mon 11-30 12:00 | przypomnij mi za godzinę, żebym zadzwonił
Tue 12-01 08:30 | przypomnij mi jutro o wpół do dziewiątej zadzwonić
Tue 12-01 09:00 | herinner me morgen om 9 uur eraan om mama te bellen
Mon 11-30 11:20 | herinner me over 20 minuten aan de oven
Tue 12-01 08:30 | herinner me morgen om half negen aan de oven
Tue 12-01 09:00 | bana yarın saat 9'da ilaç almamı hatırlat
Mon 11-30 11:20 | 20 dakika sonra ilaç almamı hatırlat
Tue 12-01 08:00 FREQ=DAILY | her gün saat 8'de su içmemi hatırlat
Tue 12-01 09:00 | 明日の9時に薬を飲むのをリマインドして
Mon 11-30 13:00 | 2時間後に薬をリマインドして
Tue 12-01 08:00 FREQ=DAILY | 毎日8時にリマインドして
Tue 12-01 09:00 | 明天早上9点提醒我吃药
Mon 11-30 11:30 | 半小时后提醒我吃药
Tue 12-01 09:30 | 明天九点半提醒我吃药
Mon 11-30 13:00 | 两个小时后提醒我开会
Tue 12-01 08:00 FREQ=DAILY | 每天早上八点提醒我吃药
Tue 12-01 09:00 | 내일 9시에 약 먹으라고 알려줘
Mon 11-30 13:00 | 2시간 후에 알려줘
Tue 12-01 15:00 | 내일 오후 3시에 회의 알려줘
Tue 12-01 09:00 | मुझे कल सुबह 9 बजे दवा लेने की याद दिलाना
Mon 11-30 13:00 | मुझे 2 घंटे बाद दवा लेने की याद दिलाना
Tue 12-01 09:00 | menga ertaga soat 9 da dori ichishni eslat
Tue 12-01 09:00 | ingatkan saya besok jam 9 pagi untuk minum obat
Mon 11-30 13:00 | ingatkan saya 2 jam lagi untuk minum obat
Tue 12-01 09:00 | ذكرني غدا الساعة ٩ صباحا بالموعد
Mon 11-30 13:00 | ذكرني بعد ساعتين ان اتصل
Tue 12-01 09:00 | فردا ساعت ۹ صبح یادم بنداز که زنگ بزنم
Mon 11-30 11:30 | نیم ساعت دیگه یادم بنداز
Mon 12-07 10:00 | remind me next Monday at 10 to call
Mon 11-30 12:30 | remind me at half past 12 to go
Fri 12-04 09:00 FREQ=WEEKLY;INTERVAL=2;BYDAY=FR | remind me every 2 weeks on Friday at 9 to water
Thu 12-03 09:00 FREQ=WEEKLY;BYDAY=MO,TH | remind me every monday and thursday at 9 to water
Tue 12-01 08:00 FREQ=DAILY | remind me every morning at 8 to stretch
Mon 11-30 18:00 | recuérdame esta tarde a las 6 llamar
Fri 12-04 10:00 | recuérdame el viernes a las 10 comprar pan
Tue 12-01 08:00 FREQ=DAILY | recuérdame todos los días a las 8 tomar la pastilla
Sat 12-05 18:00 | recuérdame pagar el alquiler el 5 de diciembre a las 18:00
Tue 12-01 09:00 | remind me to buy 2 pizzas tomorrow at 9
Tue 12-01 09:00 | remind me tomorrow at 9 to buy 2 pizzas
Tue 12-01 19:00 | remind me to call mum tomorrow evening at 7
Sat 12-05 09:00 | remind me on Saturday, 5 December at 9 am to go
Mon 11-30 15:00 | remind me today at 3 to go
Tue 12-01 02:00 | remind me at 2 am to go
Tue 12-01 17:00 | remind me tomorrow at 5pm to go
Tue 12-01 12:00 | remind me tomorrow at 12 to eat
Mon 11-30 23:30 | remind me tonight at 11:30
Mon 12-07 11:00 | remind me in a week to go
Thu 12-03 10:00 | remind me in 3 days at 10 am to go
Thu 12-03 11:00 | remind me in 3 days to go
Fri 12-04 21:00 | remind me to watch the game Friday at 9pm
Mon 11-30 14:00 | напомни в 2 часа дня позвонить
Mon 11-30 13:00 | напомни через 2 часа позвонить
Mon 11-30 14:00 | напомни в 2 часа позвонить
Tue 12-01 20:00 | напомни завтра вечером в 8 позвонить
Sat 12-05 18:00 | напомни 5 декабря в 18:00 поздравить
Mon 11-30 20:45 | напомни без четверти девять вечера
Tue 12-01 09:00 | напомни завтра
Tue 12-01 09:00 | напомни мне завтра купить молоко
Tue 12-01 09:00 | нагадай завтра о дев'ятій ранку купити
Tue 12-01 20:00 | нагадай мені завтра ввечері о восьмій купити хліб
Mon 12-07 11:00 | нагадай через тиждень
Tue 12-01 07:00 | erinnere mich morgen früh um 7 an den Müll
Tue 12-01 09:00 | erinnere mich morgen an den Müll
Wed 12-02 18:30 | erinnere mich übermorgen um 18:30 Uhr an den Müll
Mon 11-30 21:15 | erinnere mich viertel nach neun abends an den Müll
Mon 11-30 21:15 | erinnere mich um viertel nach neun abends an den Müll
Mon 11-30 13:00 FREQ=HOURLY;INTERVAL=2 | erinnere mich alle 2 Stunden daran, zu trinken
Mon 11-30 18:00 | erinnere mich um 18 Uhr Mama anzurufen
Fri 12-04 10:00 | ricordami venerdì alle 10 di chiamare
Tue 12-01 09:00 | rappelle-moi mardi à 9h de payer
Mon 11-30 12:00 | rappelle-moi à midi de manger
Mon 11-30 20:00 | rappelle-moi ce soir à 20h de téléphoner
Tue 12-01 15:00 | me lembre de ligar amanhã às 15h
Fri 12-04 10:00 | me lembre sexta às 10 da manhã de ligar
Fri 12-04 18:00 | przypomnij mi w piątek o 18:00 o spotkaniu
Tue 12-01 20:00 | przypomnij mi jutro wieczorem o 8 żebym zadzwonił
Mon 11-30 12:00 | remind me at 12 to go
Mon 11-30 12:30 | remind me in 1.5 hours to go
Mon 11-30 11:30 | remind me in half an hour to go
Mon 11-30 13:00 | remind me to go in 2 hours
Mon 11-30 11:30 | remind me to go in half an hour
Tue 12-01 09:00 | set a reminder for tomorrow at 9 to call mum
Tue 12-01 09:00 | set a reminder for tomorrow at 9: call mum
Mon 11-30 18:30 | remind me at 18:30: call
Mon 11-30 18:30 | remind me at 6:30 p.m. to call
Mon 11-30 18:30 | 18:30 remind me to call
Mon 11-30 13:00 | in 2 hours remind me to call
Tue 12-01 09:00 | Hi! remind me tomorrow at 9 to call
Tue 12-01 09:00 | hi bot, remind me tomorrow at 9 to call
Mon 11-30 11:10 | @lull_bot remind me in 10 minutes to call my sister
Mon 11-30 18:00 | нагадай мені о 18:00 забрати дитину
Mon 11-30 18:00 | нагадай мені забрати дитину о 18:00
Mon 11-30 17:00 | нагадай мені о 5 забрати дитину
Tue 12-01 10:00 | нагадай мені зателефонувати до мами завтра о 10
Mon 11-30 12:30 | нагадай через півтори години
Tue 12-15 09:00 | нагадай 15 грудня привітати Олю
Mon 11-30 21:00 FREQ=DAILY | нагадай мені щодня о 21:00 приймати ліки
Wed 12-02 14:00 | нагадай мені у середу о 14:00 про лікаря
Tue 12-01 09:00 | нагадай мені о 9-й ранку про лікаря
Wed 12-02 10:00 | нагадай мені за 2 дні о 10:00 про лікаря
Mon 11-30 13:00 | recuérdame dentro de dos horas llamar a Ana
Mon 11-30 11:30 | recuérdame en media hora apagar el horno
Wed 12-02 10:00 | recuérdame pasado mañana a las 10 de la mañana ir al banco
Mon 11-30 21:00 | recuérdame esta noche a las 9 sacar la basura
Mon 11-30 20:45 | recuérdame a las nueve menos cuarto de la noche llamar
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | recuérdame los lunes a las 9 enviar el informe
Sat 12-05 18:00 | recuérdame el 5 de diciembre a las 18:00 llamar
Tue 12-01 12:00 | avísame mañana a mediodía
Mon 11-30 11:20 | rappelle-moi dans 20 minutes de sortir le pain
Fri 12-04 10:30 | rappelle-moi vendredi à 10h30 de payer
Wed 12-02 14:00 | rappelle-moi après-demain à 14h d'aller à la poste
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | rappelle-moi tous les lundis à 9h de faire le rapport
Sat 12-05 18:00 | rappelle-moi le 5 décembre à 18h de payer
Fri 12-04 18:00 | rappelle-moi de payer le loyer vendredi à 18h
Mon 11-30 11:20 | ricordami tra 20 minuti di spegnere il forno
Fri 12-04 10:30 | ricordami venerdì alle 10:30 di pagare
Mon 11-30 20:00 | ricordami stasera alle 8 di chiamare mamma
Tue 12-01 08:00 FREQ=DAILY | ricordami ogni giorno alle 8 di bere
Sat 12-05 18:00 | ricordami il 5 dicembre alle 18 di pagare
Fri 12-04 18:00 | ricordami di pagare l'affitto venerdì alle 18
Wed 12-02 10:15 | ricordami dopodomani alle dieci e un quarto di uscire
Mon 11-30 11:30 | me lembre em meia hora de desligar o forno
Wed 12-02 10:00 | me lembre depois de amanhã às 10 da manhã de ir ao banco
Tue 12-01 08:00 FREQ=DAILY | me lembre todos os dias às 8 de beber água
Sat 12-05 18:00 | me lembre no dia 5 de dezembro às 18h de pagar
Mon 11-30 20:00 | me lembre hoje à noite às 8 de ligar
Fri 12-04 10:30 | herinner me vrijdag om 10:30 aan de afspraak
Mon 11-30 20:00 | herinner me vanavond om 8 uur aan de vuilnis
Tue 12-01 08:00 FREQ=DAILY | herinner me elke dag om 8 uur eraan
Sat 12-05 18:00 | herinner me op 5 december om 18 uur aan de huur
Wed 12-02 09:15 | herinner me overmorgen om kwart over negen aan de les
Mon 11-30 11:30 | herinner me over een half uur aan de oven
Mon 11-30 11:20 | przypomnij mi za 20 minut wyłączyć piekarnik
Tue 12-01 08:00 FREQ=DAILY | przypomnij mi codziennie o 8 pić wodę
Sat 12-05 18:00 | przypomnij mi 5 grudnia o 18:00 zapłacić czynsz
Wed 12-02 10:30 | przypomnij mi pojutrze o 10:30 iść do banku
Mon 11-30 18:00 | przypomnij mi dziś o 18:00 zadzwonić
Mon 11-30 11:30 | erinnere mich in einer halben Stunde an den Herd
Fri 12-04 10:30 | erinnere mich am Freitag um 10:30 an den Termin
Tue 12-01 08:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR | erinnere mich jeden Werktag um 8 daran
Tue 12-01 12:00 | erinnere mich morgen Mittag an das Essen
Mon 12-07 09:00 FREQ=WEEKLY;INTERVAL=2;BYDAY=MO | erinnere mich alle 2 Wochen am Montag um 9 an den Müll
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | erinnere mich montags um 9 an den Müll
Wed 12-02 10:30 | напомни послезавтра в 10:30 сходить в банк
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | напомни каждый понедельник в 9 отправить отчёт
Mon 11-30 18:00 | напомни сегодня в 18:00 позвонить
Tue 12-01 12:00 | напомни завтра в полдень пообедать
Thu 12-03 10:00 | напомни через 3 дня в 10:00 оплатить
Tue 12-01 08:30 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR | напомни по будням в 8:30 встать
Wed 12-02 11:30 | нагадай післязавтра об 11:30 про банк
Tue 12-01 08:30 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR | нагадай по буднях о 8:30 встати
Mon 11-30 11:30 | нагадай за пів години вимкнути плиту
Mon 11-30 18:00 | нагадай сьогодні о 18:00 подзвонити
Tue 12-01 12:00 | нагадай завтра опівдні про обід
Tue 12-01 20:00 | yarın akşam 8'de annemi aramamı hatırlat
Fri 12-04 10:30 | cuma günü 10:30'da toplantıyı hatırlat
Mon 11-30 11:30 | yarım saat sonra fırını kapatmamı hatırlat
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | her pazartesi saat 9'da rapor göndermemi hatırlat
Sat 12-05 18:00 | 5 aralık 18:00'de kirayı ödememi hatırlat
Mon 11-30 13:00 | 2 soatdan keyin qo'ng'iroq qilishni eslat
Tue 12-01 08:00 FREQ=DAILY | har kuni soat 8 da suv ichishni eslat
Tue 12-01 09:00 | ertaga ertalab soat 9 da eslat
Tue 12-01 08:00 FREQ=DAILY | ingatkan saya setiap hari jam 8 pagi untuk minum air
Tue 12-01 08:30 | ingatkan aku besok jam setengah sembilan pagi untuk rapat
Mon 11-30 11:10 | ingatkan saya 10 menit lagi
Tue 12-01 08:00 FREQ=DAILY | ذكرني كل يوم الساعة 8 صباحا ان اشرب الماء
Mon 11-30 11:30 | ذكرني بعد نصف ساعة بالفرن
Tue 12-01 09:30 | ذكرني غدا الساعة التاسعة والنصف صباحا بالموعد
Tue 12-01 09:00 | یادم بنداز فردا ساعت ۹ صبح که زنگ بزنم
Mon 11-30 11:20 | ۲۰ دقیقه دیگه یادم بنداز
Tue 12-01 08:00 FREQ=DAILY | هر روز ساعت ۸ صبح یادم بنداز
Tue 12-01 08:00 FREQ=DAILY | मुझे हर दिन सुबह 8 बजे पानी पीने की याद दिलाना
Fri 12-04 18:00 | मुझे शुक्रवार को शाम 6 बजे फोन करने की याद दिलाना
Fri 12-04 10:30 | 金曜日の10時半に会議をリマインドして
Mon 11-30 11:30 | 30分後にリマインドして
Sat 12-05 18:00 | 12月5日の18時に支払いをリマインドして
Mon 11-30 20:00 | 今夜8時に電話するのをリマインドして
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | 毎週月曜日の9時にリマインドして
Mon 11-30 15:00 | 下午三点提醒我开会
Mon 11-30 20:00 | 今晚8点提醒我打电话
Sat 12-05 18:00 | 12月5日18点提醒我付款
Fri 12-04 10:00 | 周五上午10点提醒我开会
Mon 11-30 13:00 | 2小时后提醒我
Tue 12-01 08:30 FREQ=DAILY | 每天早上八点半提醒我吃药
Tue 12-01 09:30 | 내일 아침 9시 30분에 알려줘
Fri 12-04 10:00 | 금요일 오전 10시에 회의 알려줘
Mon 11-30 11:30 | 30분 뒤에 알려줘
Tue 12-01 08:00 FREQ=DAILY | 매일 아침 8시에 알려줘
Mon 11-30 19:00 | 오늘 저녁 7시에 전화하라고 알려줘
Tue 12-01 09:00 | remind me of this tomorrow at 9
Mon 11-30 13:00 | remind me about it in 2 hours
Tue 12-01 09:00 | нагадай мені про це завтра о 9
Mon 11-30 12:00 | напомни об этом через час
Tue 12-01 09:00 | erinnere mich daran morgen um 9
Mon 11-30 17:00 | remind me to turn on the oven at 5pm
Fri 12-04 17:00 | remind me to call mum Friday at 5pm
Sun 12-06 20:00 | remind me to put the bins out on Sunday at 8pm
Mon 11-30 18:00 | rappelle-moi d'aller à la banque à 18h
Mon 11-30 15:00 | me lembre de pegar as crianças na escola às 15h
Mon 11-30 22:00 | напомни поставить телефон на зарядку в 22:00
Mon 11-30 18:00 | przypomnij mi odebrać paczkę w paczkomacie o 18:00
Mon 11-30 18:00 | ricordami di andare a scuola alle 18
Tue 12-01 08:00 | rappelle-moi demain à 8 heures de partir
Mon 11-30 20:00 | ذكرني الساعة ٨ مساء بالدواء
Tue 12-01 09:00 | 明天早上九點提醒我吃藥
Mon 12-07 09:00 FREQ=WEEKLY;BYDAY=MO | 每週一早上9點提醒我
Tue 12-01 09:00 | erinnere mich daran, morgen um 9 Mama anzurufen
Tue 12-01 09:00 | recuérdamelo mañana a las 9
"""

#: requests whose time is ambiguous, or may belong to the text of the reminder
DOUBTFUL = """
не напоминай завтра в 9
remind me 3 times tomorrow at 9
don't remind me tomorrow at 9
remind me next Wednesday at 10 to call
remind me every 2 weeks at 9 to water
remind me at half past eight to go
remind me at 9 to go
remind me about the meeting tomorrow at 9
remind me that the shop closes at 18:00
remind me to go on Christmas at 9
remind me tomorrow at 9 or 10 to go
remind me every other monday at 9 to go
recuérdame que tengo dentista mañana a las 9
erinnere mich an den Termin am Freitag um 9
нагадай за годину до зустрічі
明日の9時の会議をリマインドして
remind me on Monday at 12 to call
remind me every day to stretch
remind me at 9 and at 21 to take pills
remind me tomorrow at 9 about the meeting at 11
remind me to call mum in the evening
remind me to call mum tomorrow evening
remind me tomorrow morning to call
remind me an hour before the meeting tomorrow at 9
remind me 2 hours before friday at 10
remind me in a few minutes
remind me in 2-3 hours to go
remind me at 9-10 to go
remind me tomorrow at 9, no, at 10
remind me tomorrow at 9ish
remind me around 9 am tomorrow
remind me by 9 am tomorrow
remind me at 9 am Kyiv time to go
remind me tomorrow is Ann's birthday
remind me tomorrow's meeting
remind me about tomorrow
remind me to prepare for tomorrow
remind me after lunch tomorrow
remind me to call mum after lunch tomorrow
remind me to call mum at 18:00 after work
remind me not tomorrow but on Friday at 9
remind me 30 minutes
remind me in 30
remind me 25:00 to go
remind me tomorrow at 25:00
remind me on 31 April at 9
remind me on Tuesday 5 December at 9 am
remind me on 5/12 at 9 am
remind me at 11:00 to go
remind me at 11 to go
remind me today at 10 am
remind me tomorrow at 5 to go
remind me tomorrow at 12am to eat
remind me tomorrow at midnight
remind me tonight at 12
remind me for 2 hours to go at 6pm
remind me until friday every day at 9
remind me every day at 9 until friday
remind me every day at 9 for a week
remind me to take the 9 am train
remind me the train leaves at 9 pm
remind me when it is 9 pm
напомни, что магазин закрывается в 18:00
напомни про встречу завтра в 9
напомни за час до встречи
напомни завтра в 12 ночи
напомни купить молоко завтра вечером
нагадай, що завтра іспит
нагадай про іспит завтра о 9
erinnere mich alle 2 Stunden ans Trinken
erinnere mich um 18 Uhr, dass der Laden um 19 Uhr schließt
Kannst du mich morgen um 9 daran erinnern
ricordami il lunedì alle 9 di chiamare
ricordami lunedì alle 10 di chiamare
ricordami la riunione domani alle 9
rappelle-moi le mardi à 9h de payer
rappelle-moi la réunion de demain à 9h
me lembre da reunião amanhã às 15h
remind me in 2 hours to call at 5
remind me in 2.5 days to go
remind me at 6:30 pm call
I have a meeting tomorrow at 9. remind me
нагадай мені о 9 забрати дитину
recuérdame a las 18:30 recoger a los niños
recuérdame mañana por la mañana llamar
recuérdame antes de las 9 llamar
recuérdame la cita del viernes a las 10
rappelle-moi que le magasin ferme à 19h
rappelle-moi avant 18h de payer
ricordami che il negozio chiude alle 19
me lembre que a loja fecha às 19h
herinner me eraan dat de winkel om 18 uur sluit
herinner me aan de afspraak morgen om 9 uur
przypomnij mi, że sklep zamykają o 19
erinnere mich daran, dass der Laden um 18 Uhr schließt
erinnere mich vor 9 an den Bus
erinnere mich gegen 9 morgen an den Bus
напомни до 9 утра позвонить
напомни около 9 утра позвонить
нагадай до 9 ранку подзвонити
yarın saat 9'daki toplantıyı hatırlat
ingatkan saya untuk rapat besok jam 9 pagi
मुझे कल 9 बजे की बैठक की याद दिलाना
明日9時までに薬を飲むのをリマインドして
提醒我明天9点开会
下周五上午10点提醒我开会
내일 9시 회의 알려줘
remind me at ten to eight
remind me at 10 to 8
remind me tomorrow at ten to eight to call
recuérdame mañana a las diez para las ocho
нагадай першого числа о 9
напомни первого числа в 9
remind me about the cat in 2 hours
erinnere mich an die Wäsche in 20 Minuten
remind me about the pizza in 20 minutes
remind me on Thanksgiving at 5pm
remind me on Thanksgiving to call mum at 5pm
remind me to call mum on Mother's Day at 9 am
remind me on New Year’s Day at 8pm
remind me on payday at 9 am
remind me on Easter Monday at 10:00
remind me on Cyber Monday at 9 am
set a reminder for Thanksgiving at 5pm
erinnere mich am Muttertag um 18 Uhr
erinnere mich am Ostermontag um 10 Uhr
erinnere mich zu Nikolaus um 18 Uhr
herinner me op Koningsdag om 10:30
herinner me met Sinterklaas om 18:00
recuérdame en Nochevieja a las 20:00
recuérdame llamar a mamá el Día de la Madre a las 10:30
rappelle-moi à la Saint-Valentin à 18h
rappelle-moi pour la Toussaint à 18h
ricordami a Ferragosto di chiamare alle 18:00
ricordami per San Valentino di comprare i fiori alle 18
me lembre no Carnaval às 15:00
me lembre no Réveillon de ligar às 22:00
напомни на Троицу позвонить в 10:00
напомни позвонить маме в День матери в 10:00
нагадай на Миколая о 09:00
нагадай на Трійцю купити квіти о 18:00
przypomnij mi w Wigilię o 18:00
przypomnij mi w sylwestra zadzwonić o 22:00
ingatkan saya telepon ibu di Hari Ibu jam 9 pagi
recuérdame a las 20:00 hora de México
rappelle-moi à 20h heure de Paris
ذكرني الساعة ٨ مساء بتوقيت مكة
remind me what I said at 6pm
remind me where we meet tomorrow at 9
remind me which train I take tomorrow at 9
erinnere mich wo wir uns treffen morgen um 9
herinner me waar we afspreken morgen om 9 uur
recuérdame dónde quedamos mañana a las 9
rappelle-moi qui vient demain à 9h
ricordami dove ci vediamo domani alle 9
me lembre quem vem amanhã às 9h
напомни где мы встречаемся завтра в 9
напомни, во сколько встреча завтра в 9
нагадай хто дзвонив о 18:00
przypomnij mi gdzie się spotykamy jutro o 9
ingatkan saya siapa yang datang besok jam 9 pagi
нагадай про піцу через 20 хвилин
"""


def when_said(text: str, now: datetime = NOW, zone: str = "UTC") -> ResolvedTime | None:
    """Return the time that is read, or None."""
    said = said_time(text, now, zone)
    if said is None:
        return None
    found = resolve_time(TimeProposal(at=said.at, after=said.after, every=said.every), now, zone)
    assert isinstance(found, ResolvedTime), found
    return found


def written(found: ResolvedTime | None) -> str:
    """Return a time as the tables have it."""
    if found is None:
        return ""
    return f"{found.start:%a %m-%d %H:%M}{f' {found.recurrence.rule}' if found.recurrence else ''}"


@pytest.mark.parametrize("line", READ.strip().splitlines())
def test_a_time_said_without_doubt_is_read(line: str) -> None:
    expected, _, text = line.partition(" | ")
    assert written(when_said(text)) == expected


@pytest.mark.parametrize("text", DOUBTFUL.strip().splitlines())
def test_a_doubtful_time_is_not_read(text: str) -> None:
    assert when_said(text) is None


@pytest.mark.parametrize(
    ("now", "text", "expected"),
    [
        ("08:00", "remind me at 9 to call", "Mon 11-30 09:00"),
        ("09:00", "remind me at 9 to call", ""),
        ("10:00", "remind me at 9 to call", ""),
        ("20:00", "remind me at 9 to call", ""),
        ("01:00", "remind me at 9 to call", "Mon 11-30 09:00"),
        ("01:00", "remind me at 3 to call", ""),
        ("06:10", "remind me at 6:30 to call", ""),
        ("17:30", "remind me at 5 to call", ""),
        ("16:59", "remind me at 5 to call", "Mon 11-30 17:00"),
        ("01:00", "remind me tomorrow at 9 to call", ""),
        ("01:00", "remind me on Tuesday at 9 to call", ""),
        ("01:00", "remind me today at 9 to call", "Mon 11-30 09:00"),
        ("19:00", "remind me at 18:00 to call", "Tue 12-01 18:00"),
        ("19:00", "remind me today at 18:00 to call", ""),
        ("23:30", "remind me at midnight to call", "Tue 12-01 00:00"),
        ("23:30", "remind me tomorrow at 09:00 to call", "Tue 12-01 09:00"),
        ("13:00", "remind me at 12 to call", ""),
        ("13:00", "remind me at noon to call", "Tue 12-01 12:00"),
        ("13:00", "remind me at 12 pm to call", "Tue 12-01 12:00"),
        ("20:00", "erinnere mich um 21 Uhr an den Tee", "Mon 11-30 21:00"),
        ("20:00", "нагадай о 9 вечора про чай", "Mon 11-30 21:00"),
    ],
)
def test_an_hour_is_read_as_seen_from_the_clock(now: str, text: str, expected: str) -> None:
    assert written(when_said(text, datetime.fromisoformat(f"2026-11-30T{now}+00:00"))) == expected


@pytest.mark.parametrize(
    ("now", "text", "first"),
    [
        # clocks go forward on 29 March at 2:00, and back on 25 October at 3:00
        ("2026-03-28T12:00+00:00", "erinnere mich morgen um 9 an den Kuchen", "2026-03-29T07:00+00:00"),
        ("2026-03-29T00:30+00:00", "erinnere mich in 2 Stunden an den Kuchen", "2026-03-29T02:30+00:00"),
        ("2026-03-28T12:00+00:00", "erinnere mich morgen um 02:30 an den Kuchen", "2026-03-29T01:30+00:00"),
        ("2026-10-24T12:00+00:00", "erinnere mich morgen um 9 an den Kuchen", "2026-10-25T08:00+00:00"),
        # it is already the next day there
        ("2026-11-30T23:30+00:00", "erinnere mich heute um 18 Uhr an den Kuchen", "2026-12-01T17:00+00:00"),
    ],
)
def test_the_zone_counts(now: str, text: str, first: str) -> None:
    found = when_said(text, datetime.fromisoformat(now), "Europe/Berlin")
    assert found is not None
    assert found.first == datetime.fromisoformat(first)


WORDS = sorted({word for line in (READ + DOUBTFUL).splitlines() for word in line.rpartition(" | ")[2].split()})


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)))
def test_any_order_of_words_gives_a_coming_time_or_none(words: list[str], now: datetime) -> None:
    found = when_said(" ".join(words), now.replace(tzinfo=UTC))
    assert found is None or found.first > now.replace(tzinfo=UTC)


@given(st.text(max_size=80))
def test_other_text_is_no_time(text: str) -> None:
    assert when_said(f"remind me {text} zzz") is None
    assert when_said(text) is None or "remind" in text


def test_a_long_message_is_not_read() -> None:
    assert when_said("remind me tomorrow at 9 to " + "call " * 200) is None
