"""Regular expressions that Java takes, and some that it does not."""

from __future__ import annotations

from airflow_metorikku.config.records.checks import patterns

SOUND = [
    "", "a", "^[A-Z]{2}", r"\(", r"\[", "[(]", "[)]", "[]a]", "[^]a]", "[a[b]c]", "[a-z&&[^bc]]",
    r"[\]]", r"\Q([\E", r"\Q(", "a]", "(?:a)*", "(?<name>x)", "(?i)a", "(?=a)b", "(?!a)", "(?>a+)b",
    "a|b", "|a", "a|", "()", "(|a)", "a*", "a*?", "a++", r"\d{1,2}", r"\\", "(?x) a # (\n",
    r"(?<=\()a", r"[\Q]\E]", "^*", r"\b*",
    patterns.EMAIL, patterns.URL, patterns.CREDIT_CARD, patterns.SOCIAL_SECURITY_NUMBER,
]  # fmt: skip
BROKEN = [
    "(", ")", "a(b", "a)b", "[", "[a", "[]", "[^]", "[a[b]", "*", "+a", "?", "(*a)", "a|*", "a\\",
    "(?:a", "((a)", r"\((", "(a))",
]  # fmt: skip
