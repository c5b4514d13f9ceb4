"""Names of months and days in the languages that format codes ask for by their locale, such as `[$-407]`.

Source: Unicode CLDR, gregorian calendar, as Excel abbreviates; MS-LCID (the low ten bits are the language).
"""

from __future__ import annotations

from typing import NamedTuple


class Names(NamedTuple):
    """Twelve months from January and seven days from Monday, whole and short."""

    months: list[str]
    short_months: list[str]
    days: list[str]
    short_days: list[str]


def _names(months: str, short_months: str, days: str, short_days: str) -> Names:
    return Names(months.split(), short_months.split(), days.split(), short_days.split())


ENGLISH = _names(
    "January February March April May June July August September October November December",
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "Mon Tue Wed Thu Fri Sat Sun",
)
LANGUAGES = {
    0x04: _names(
        "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
        "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
        "周一 周二 周三 周四 周五 周六 周日",
    ),
    0x07: _names(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
        "Mo Di Mi Do Fr Sa So",
    ),
    0x0A: _names(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "ene feb mar abr may jun jul ago sep oct nov dic",
        "lunes martes miércoles jueves viernes sábado domingo",
        "lun mar mié jue vie sáb dom",
    ),
    0x0C: _names(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "lun. mar. mer. jeu. ven. sam. dim.",
    ),
    0x10: _names(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "gen feb mar apr mag giu lug ago set ott nov dic",
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "lun mar mer gio ven sab dom",
    ),
    0x11: _names(
        "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日",
        "月 火 水 木 金 土 日",
    ),
    0x13: _names(
        "januari februari maart april mei juni juli augustus september oktober november december",
        "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "ma di wo do vr za zo",
    ),
    0x16: _names(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "jan fev mar abr mai jun jul ago set out nov dez",
        "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
        "seg ter qua qui sex sáb dom",
    ),
}


def names_for(locale: str) -> Names:
    """Return the names in the language of a locale, given in hexadecimal; English where it isn't known."""
    try:
        return LANGUAGES.get(int(locale, 16) & 0x3FF, ENGLISH)
    except ValueError:
        return ENGLISH
