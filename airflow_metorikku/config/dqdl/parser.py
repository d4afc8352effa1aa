"""DQDL to rules, by recursive descent; a rule that is wrong costs no other."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, TypeVar

from airflow_metorikku.config.document import DEEPEST
from airflow_metorikku.config.dqdl.records import Composite, Condition, Operand, Rule
from airflow_metorikku.config.dqdl.tokens import MistakeError, Token, tokens_of
from airflow_metorikku.config.past_bounds import WORDS
from airflow_metorikku.config.words import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

Item = Rule | Composite
T = TypeVar("T")
_MISSING = {"NULL": "null", "EMPTY": "empty", "WHITESPACES_ONLY": "whitespace"}
_UNITS = {"day", "days", "hour", "hours", "minute", "minutes"}
_OTHER_SECTIONS = {
    "Analyzers": "observed metrics are not kept from DQDL; the history has the values of all checks",
    "DataSources": "a data frame of the job is named where a rule needs it",
    "Metadata": "it has no meaning here",
}
_OPENING, _CLOSING = "([{", ")]}"


def parse(source: str, known: Collection[str]) -> tuple[list[Item], list[MistakeError]]:
    """The rules of a text, and every mistake in it.

    :param known: the types of rules.
    """
    try:
        tokens = list(tokens_of(source))
    except MistakeError as mistake:
        return [], [mistake]
    return _Parser(tokens, known).document()


class _Parser:
    """A position among the tokens of one text."""

    def __init__(self, tokens: list[Token], known: Collection[str]) -> None:
        self.tokens = tokens
        self.known = known
        self.at = 0
        self.depth = 0
        self.mistakes: list[MistakeError] = []

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def is_word(self, *words: str) -> bool:
        """Whether one of some words comes next, in any case."""
        return self.token.kind == "word" and self.token.text.lower() in words

    def is_sign(self, sign: str) -> bool:
        return self.token.kind == "sign" and self.token.text == sign

    def passes(self, sign: str) -> bool:
        """Pass a sign where it comes next; whether it did."""
        if self.is_sign(sign):
            self.take()
            return True
        return False

    def expect(self, sign: str, where: str) -> None:
        if not self.passes(sign):
            raise self.wrong(f"'{sign}' {where}")

    def wrong(self, expected: str) -> MistakeError:
        return MistakeError(self.token.line, f"got {self.token.shown}, expected {expected}")

    def document(self) -> tuple[list[Item], list[MistakeError]]:
        items: list[Item] = []
        try:
            self.section()
            while not self.passes("]"):
                items += self.item()
                if not self.is_sign("]"):
                    self.expect(",", "between two rules, or ']' after the last")
            if not items and not self.mistakes:
                self.mistakes.append(MistakeError(self.token.line, "there is no rule in Rules"))
            self.finish()
        except MistakeError as mistake:
            self.mistakes.append(mistake)
        return items, self.mistakes

    def finish(self) -> None:
        """Nothing may follow the rules."""
        if self.token.kind != "end":
            self.section_name()
            raise self.wrong("the end after ']'")

    def section(self) -> None:
        """Pass `Rules = [`."""
        if self.token.kind != "word" or self.section_name() != "Rules":
            raise self.wrong("Rules = [ ... ]")
        self.take()
        self.expect("=", "after Rules")
        self.expect("[", "after Rules =")

    def section_name(self) -> str:
        name = self.token.text
        if name in _OTHER_SECTIONS:
            raise MistakeError(
                self.token.line, f"{name} is known and refused here: {_OTHER_SECTIONS[name]}"
            )
        return name

    def item(self) -> list[Item]:
        """A rule, or what is kept of the list after a mistake: the mistake is noted and the rule passed."""
        start = self.at
        try:
            self.depth = 0
            return [self.composite()]
        except MistakeError as mistake:
            self.mistakes.append(mistake)
            self.at = start
            self.skip()
            return []

    def skip(self) -> None:
        """To the end of a rule that is wrong: a comma or bracket of the list itself."""
        depth = 0
        while self.token.kind != "end":
            sign = self.token.text if self.token.kind == "sign" else ""
            if depth == 0 and sign in (",", "]") and sign:
                return
            depth += (sign in _OPENING and bool(sign)) - (sign in _CLOSING and bool(sign))
            self.take()

    def composite(self) -> Item:
        line = self.token.line
        if not self.is_sign("("):
            return self.rule()
        parts = [self.grouped()]
        operator: Literal["and", "or"] | None = None
        while self.is_word("and", "or"):
            found: Literal["and", "or"] = "and" if self.token.text.lower() == "and" else "or"
            if operator not in (None, found):
                raise MistakeError(
                    self.token.line,
                    "'and' and 'or' stand side by side; put one of them in parentheses",
                )
            operator = found
            self.take()
            parts.append(self.grouped())
        return (
            parts[0]
            if operator is None
            else Composite(operator=operator, parts=tuple(parts), line=line)
        )

    def grouped(self) -> Item:
        self.expect("(", "before each rule that 'and' or 'or' joins")
        return self.inner(self.composite, "after a rule in parentheses")

    def inner(self, read: Callable[[], T], where: str) -> T:
        """What stands in parentheses, of which the first is passed."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise MistakeError(self.token.line, f"nested deeper than {DEEPEST} levels")
        found = read()
        self.expect(")", where)
        self.depth -= 1
        return found

    def rule(self) -> Rule:
        token = self.token
        if token.kind != "word":
            raise self.wrong("the type of a rule, as IsComplete")
        if token.text not in self.known:
            raise MistakeError(token.line, self.unknown_type(token.text))
        self.take()
        parameters: list[str] = []
        while self.token.kind == "text":
            parameters.append(self.take().text)
        found = Rule(
            type=token.text,
            line=token.line,
            parameters=tuple(parameters),
            condition=None if self.ends() else self.condition(),
        )
        while not self.ends():
            found = self.clause(found)
        return found

    def clause(self, rule: Rule) -> Rule:
        """The rule with what `where` or `with` adds to it."""
        if self.is_word("where"):
            self.take()
            return replace(rule, where=self.text("the condition in double quotes after where"))
        if not self.is_word("with"):
            raise self.wrong("where, with threshold, ',' or ']'")
        self.take()
        if self.is_word("threshold"):
            self.take()
            return replace(rule, threshold=self.condition())
        name = self.text("threshold, or the name of a tag, after with")
        self.expect("=", "after the name of a tag")
        return replace(rule, tags={**rule.tags, name: self.text("the value of a tag")})

    def unknown_type(self, name: str) -> str:
        near = suggestion(name, self.known)
        if near:
            return f"unknown rule {name!r}; did you mean {near!r}?"
        return f"unknown rule {name!r}; known are {', '.join(sorted(self.known))}"

    def ends(self) -> bool:
        """Whether the rule, or its expression, ends here."""
        token = self.token
        return token.kind == "end" or (token.kind == "sign" and token.text in (",", "]", ")"))

    def text(self, expected: str) -> str:
        if self.token.kind != "text":
            raise self.wrong(expected)
        return self.take().text

    def condition(self) -> Condition | None:
        """An expression; None where `where` or `with` comes instead."""
        if self.is_word("where", "with"):
            return None
        token = self.token
        if token.kind == "sign" and token.text in ("=", "!=", ">", ">=", "<", "<="):
            self.take()
            return Condition("==" if token.text == "=" else token.text, (self.operand(),))
        negated = "not " if self.is_word("not") else ""
        if negated:
            self.take()
        if self.is_word("between"):
            return self.between(negated)
        if self.is_word("in"):
            return self.listed(negated)
        if self.is_word("matches"):
            self.take()
            pattern = self.text("a pattern in double quotes after matches")
            return Condition(f"{negated}matches", (Operand("text", pattern),))
        raise self.wrong("one of = != > >= < <= between in matches")

    def between(self, negated: str) -> Condition:
        self.take()
        lower = self.operand()
        if not self.is_word("and"):
            raise self.wrong("'and' between the bounds")
        self.take()
        return Condition(f"{negated}between", (lower, self.operand()))

    def listed(self, negated: str) -> Condition:
        self.take()
        self.expect("[", "after in")
        found = [self.operand()]
        while self.passes(","):
            found.append(self.operand())
        self.expect("]", "after the last value")
        return Condition(f"{negated}in", tuple(found))

    def operand(self) -> Operand:
        past = self.past()
        return Operand("past", past) if past else self.value()

    def value(self) -> Operand:
        token = self.token
        if token.kind == "text":
            return Operand("text", self.take().text)
        if token.kind == "variable":
            return Operand("variable", self.take().text)
        if self.passes("("):
            return self.inner(self.value, "after a value in parentheses")
        if token.kind == "number":
            return self.number()
        if token.kind == "word" and token.text.upper() in _MISSING:
            return Operand("missing", _MISSING[self.take().text.upper()])
        if self.is_word("now"):
            return self.now()
        raise self.wrong("a number, a text in double quotes, a date, or NULL")

    def past(self) -> str:
        """Pass a value that is made of earlier ones, as `avg(last(3)) * 0.8`; nothing where it is none."""
        depth, found = 0, 0
        for token in self.tokens[self.at :]:
            sign = token.text if token.kind == "sign" else ""
            ends = token.kind in ("end", "text") or (
                token.kind == "word" and token.text.lower() in ("and", "where", "with")
            )
            if ends or (depth == 0 and sign and sign in ",])"):
                break
            depth += (sign == "(") - (sign == ")")
            found += 1
        piece = self.tokens[self.at : self.at + found]
        if not any(token.kind == "word" and token.text in WORDS for token in piece):
            return ""
        self.at += found
        return " ".join(token.text for token in piece)

    def number(self) -> Operand:
        number = Decimal(self.take().text)
        if self.is_word(*_UNITS):
            return Operand("duration", self.take().text.lower().rstrip("s"), number)
        if self.token.kind == "sign" and self.token.text in "+-*/":
            raise MistakeError(
                self.token.line, "write the result: a threshold is a number, not a sum"
            )
        return Operand("number", number=number)

    def now(self) -> Operand:
        self.take()
        self.expect("(", "after now")
        self.expect(")", "after now(")
        sign = next((one for one in "+-" if self.passes(one)), "")
        if not sign and self.token.kind != "number":
            return Operand("time", "now()")
        amount = self.token.text if self.token.kind == "number" else ""
        if not sign and amount.startswith("-"):
            sign, amount = "-", amount[1:]
        if not sign or not amount.isdecimal():
            raise self.wrong("+ or - and a whole number of days, hours or minutes")
        self.take()
        if not self.is_word(*_UNITS):
            raise self.wrong("days, hours or minutes")
        return Operand("time", f"now() {sign} {amount} {self.take().text.lower()}")
