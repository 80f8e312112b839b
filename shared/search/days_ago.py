"""Phrases for days before now, as people ask: `yesterday`, `letzte Woche`, `2 недели назад`."""

from collections.abc import Mapping
from typing import Final

_TABLE: Final = """
day 0: today|heute|hoy|aujourd'hui|oggi|hoje|сегодня|сьогодні|bugün|hari ini|اليوم|امروز|आज|今日
day 1: yesterday|gestern|ayer|hier|ieri|ontem|вчера|вчора|dün|kemarin|أمس|دیروز|कल|昨日
day 2: day before yesterday|vorgestern|anteayer|avant-hier|позавчера|позавчора|evvelsi gün|一昨日
week 0: this week|diese woche|esta semana|cette semaine|questa settimana|на этой неделе|цього тижня|bu hafta
week 1: last week|letzte woche|letzter woche|la semana pasada|la semaine dernière|la settimana scorsa|semana passada
week 1: на прошлой неделе|минулого тижня|geçen hafta|minggu lalu|الأسبوع الماضي|هفته گذشته|पिछले हफ्ते|先週
month 0: this month|diesen monat|este mes|ce mois-ci|questo mese|este mês|в этом месяце|цього місяця|bu ay
month 1: last month|letzten monat|letztem monat|el mes pasado|le mois dernier|il mese scorso|mês passado
month 1: в прошлом месяце|минулого місяця|geçen ay|bulan lalu|الشهر الماضي|ماه گذشته|पिछले महीने|先月
year 1: last year|letztes jahr|letztem jahr|el año pasado|l'année dernière|l'anno scorso|ano passado
year 1: в прошлом году|минулого року|торік|geçen yıl|tahun lalu|السنة الماضية|سال گذشته|पिछले साल|去年
"""
#: a phrase → the unit, and how many of them back
RELATIVE: Final[Mapping[str, tuple[str, int]]] = {
    phrase: (line.split()[0], int(line.split()[1].rstrip(":")))
    for line in _TABLE.strip().splitlines()
    for phrase in line.partition(": ")[2].split("|")
}
_UNITS: Final = """
day: day tag día jour дн ден
week: week woche semana semaine недел тижн
month: month monat mes mois месяц місяц
year: year jahr año an год лет рок рік
"""
#: how the name of a unit begins → the unit
UNITS: Final[Mapping[str, str]] = {
    begin: line.partition(":")[0] for line in _UNITS.strip().splitlines() for begin in line.partition(": ")[2].split()
}
_COUNT: Final = r"(?P<count>\d{1,4})"
#: patterns of a number of units back
AGO: Final = (
    rf"{_COUNT} (?P<unit>day|week|month|year)s? ago",
    rf"vor {_COUNT} (?P<unit>tag|woche|monat|jahr)",
    rf"hace {_COUNT} (?P<unit>día|semana|mes|año)",
    rf"il y a {_COUNT} (?P<unit>jour|semaine|mois|an)",
    rf"{_COUNT} (?P<unit>дн|ден|недел|тижн|месяц|місяц|год|лет|рок|рік)\w* (?:назад|тому)",
)
