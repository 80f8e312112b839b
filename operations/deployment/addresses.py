"""Addresses of e-mail that are nobody's: those kept for examples, and what templates have in the place of one."""

import re
from typing import Final

_ADDRESS: Final = re.compile(r"[^@\s,;:<>\"()]+@([^@\s,;:<>\".]+\.)+([a-z]{2,}|xn--[a-z0-9-]+)", re.IGNORECASE)
#: domains kept for examples (RFC 2606), whatever they end with, and those that no mail from outside reaches (RFC 6762,
#: 8375, 9476); `.test` is not among them: who tries lull out writes it
_NO_DOMAIN: Final = re.compile(
    r"(.*\.)?(example|invalid|localhost|localdomain|local|lan|internal|home\.arpa|alt|onion|tld|domain|ext)"
    r"|your\.(own\.)?(domain|company|e?-?mail|organi[sz]ation|host|server)\b.*"
)
#: the part of a domain that somebody registers, as templates write it: at these nobody reads
_NO_LABEL: Final = re.compile(
    r"(your|deine?|ihre?)[-_]?(own|e)?[-_]?(domaine?|company|firma|organi[sz]ation|business|e-?mail|website|site)"
    r"|(votre|ton|tu|tuo|vuestro|seu|su)[-_]?(domaine|dominio|empresa|entreprise|azienda)"
    r"|example|exemple|ejemplo|esempio|exemplo|beispiel|muster(firma|domain|mail)|(some|any)domain"
)
#: a name that says that another is to be put in
_NO_NAME: Final = re.compile(
    r"(your|deine?|ihre?|votre)[._-]?(own|real)?[._-]?(e?-?mail|name|address|adresse|account|user(name)?|login|id)(-?here)?"
    r"|first[._-]?name[._-](last|sur|family)[._-]?name|vorname[._-]nachname|prenom[._-]nom|nombre[._-]apellido"
)
#: names that are somebody's at a real domain, and nobody's at one that is itself a word of templates
_NAMES: Final = frozenset(
    [
        "you",
        "your",
        "me",
        "name",
        "user",
        "username",
        "someone",
        "somebody",
        "anyone",
        "email",
        "mail",
        "e-mail",
        "address",
        "foo",
        "bar",
        "abc",
        "xxx",
        "xyz",
        "test",
        "tester",
        "example",
        "john.doe",
        "jane.doe",
        "johndoe",
        "janedoe",
        "max.mustermann",
        "recipient",
    ]
)
_LABELS: Final = frozenset(
    [
        "domain",
        "email",
        "e-mail",
        "mail",
        "company",
        "mydomain",
        "my-domain",
        "mycompany",
        "my-company",
        "yourmail",
        "yourhost",
        "website",
        "mysite",
        "site",
        "host",
        "hostname",
        "provider",
        "mailserver",
        "foo",
        "bar",
        "foobar",
        "abc",
        "xxx",
        "xyz",
        "test",
        "sample",
    ]
)
#: of those, a domain's that may well be of whoever is called `me` there
_OWN: Final = frozenset({"mydomain", "my-domain", "mycompany", "my-company", "mysite"})
#: where everybody may have a name, and nobody has one that stands for all; gmail.com has none of less than six letters
_FREE: Final = re.compile(r"(gmail|googlemail|outlook|hotmail|yahoo|icloud|gmx|web|proton|protonmail)")
_NONE_THERE: Final = frozenset(["you", "your", "name", "user", "username", "someone", "somebody", "example", "email"])
_TOO_SHORT: Final = re.compile(r"[^@+]{1,5}@(gmail|googlemail)\.com")
#: second parts below which domains are registered, as in co.uk
_BELOW: Final = frozenset({"co", "com", "org", "net", "ac", "gov", "edu"})


def is_address(text: str) -> bool:
    """Whether a text looks like an address of e-mail, and like one alone."""
    return _ADDRESS.fullmatch(text) is not None


def is_nobodys(address: str) -> bool:
    """Whether an address is an example, or what stands in a template for one.

    A domain that only looks odd is somebody's: `me@mydomain.de` may be, `you@mydomain.de` is not.
    """
    name, _, domain = address.lower().partition("@")
    labels = domain.split(".")
    label = labels[-3] if len(labels) > 2 and labels[-2] in _BELOW else labels[-2]
    if _NO_DOMAIN.fullmatch(domain) or _NO_LABEL.fullmatch(label) or _NO_NAME.fullmatch(name):
        return True
    if _TOO_SHORT.fullmatch(address.lower()) or (_FREE.fullmatch(label) and name in _NONE_THERE):
        return True
    is_own = name == "me" and label in _OWN
    is_same = name == label and name in (_NAMES - {"me"}) | {"admin"}
    return (name in _NAMES and label in _LABELS and not is_own) or is_same or f"{name}@{label}" in {"a@b", "x@y"}
