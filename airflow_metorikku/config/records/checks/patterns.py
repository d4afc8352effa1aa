"""Regular expressions that Deequ has names for (Deequ, `analyzers/PatternMatch.scala`), as they are published."""

from __future__ import annotations

# emailregex.com, "General Email Regex (RFC 5322 Official Standard)"; its mistakes in the last ranges are Deequ's too.
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_QUOTED = r"(?:[\x01-\x08\x0b\x0c\x0e-\x1f\x21\x23-\x5b\x5d-\x7f]|\\[\x01-\x09\x0b\x0c\x0e-\x7f])*"
_LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_BYTE = r"25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?"
_LITERAL = r"(?:[\x01-\x08\x0b\x0c\x0e-\x1f\x21-\x5a\x53-\x7f]|\\[\x01-\x09\x0b\x0c\x0e-\x7f])+"
EMAIL = (
    rf'(?:{_ATOM}(?:\.{_ATOM})*|"{_QUOTED}")'
    rf"@(?:(?:{_LABEL}\.)+{_LABEL}"
    rf"|\[(?:(?:{_BYTE})\.){{3}}(?:{_BYTE}|[a-z0-9-]*[a-z0-9]:{_LITERAL})\])"
)

PROOFS = {EMAIL: r"[a-z0-9]@[a-z0-9]+\.[a-z0-9]"}
"""Where the second is found, so is the first, which takes three times as long."""

# mathiasbynens.be/demo/url-regex, the one of @stephenhay.
URL = r"(https?|ftp)://[^\s/$.?#].[^\s]*"

# Not all zeros in a part, not from 900, not 666, and not the two that were printed on samples.
SOCIAL_SECURITY_NUMBER = "|".join(
    rf"((?!219{between}09{between}9999|078{between}05{between}1120)(?!666|000|9\d{{2}})\d{{3}}"
    rf"{between}(?!00)\d{{2}}{between}(?!0{{4}})\d{{4}})"
    for between in ("-", " ", "")
)

# richardsramblings.com/regex/credit-card-numbers: fifteen digits of American Express, sixteen of the others.
CREDIT_CARD = r"\b(?:3[47]\d{2}([\ \-]?)\d{6}\1\d|(?:(?:4\d|5[1-5]|65)\d{2}|6011)([\ \-]?)\d{4}\2\d{4}\2)\d{4}\b"
