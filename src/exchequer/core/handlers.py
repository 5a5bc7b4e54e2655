"""Handlers: rules that say themselves which step they carry out or which answer they follow.

    @handles(Step.UPKEEP)
    def pay_upkeep(s, c, seat, log): ...

    @handles(Ask.TURN, card=Do.PLAY)
    def play_card(s, c, seat, card, log): ...

    @refuses(Ask.TURN, card=Do.PLAY)
    def play_refusal(s, c, seat, card): ...

`s`, `c`, `seat`, `log`, `action`, `ask` and `step` are what they are everywhere. `card` is the
action counted from `Do.PLAY`, the first of its group, which reaches to the next member of `Do`.
A single action is named without a parameter: `@handles(Ask.TURN, Do.PASS)`. Whatever else a
handler takes are the agenda item's `a` and `b`, in this order.

From these marks come `handle_step` and `handle_answer` of the contract, and for a game that does
not write its own, `refusal` and `legal`: an answer is refused when no handler follows it.
"""

import ast
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

from exchequer.core.agenda import FIRST_STEP, asked, no_handler, top_item
from exchequer.core.binding import line_of
from exchequer.core.contract import list_legal
from exchequer.core.errors import InputError
from exchequer.core.records import NOBODY, apart, rule

F = TypeVar("F", bound=Callable[..., Any])
FIXED = ("s", "c", "seat", "log", "action", "ask", "step")
MOST_INLINED = 20  # a longer chain is cut by modules, each compiled apart, or it compiles slowly


@dataclass(frozen=True)
class Mark:
    """Where a rule stands: its steps or questions, and which answer to them."""

    items: tuple[IntEnum, ...]
    first: IntEnum | None  # of the group of answers; None stands for all
    choice: str  # the parameter that is counted from `first`


def marked(name: str, members: tuple[IntEnum, ...], choices: Mapping[str, IntEnum]
           ) -> Callable[[F], F]:
    items = tuple(member for member in members if type(member).__name__ in ("Ask", "Step"))
    groups = [*members[len(items):], *choices.values()]
    if not items or len(groups) > 1 or any(type(group).__name__ != "Do" for group in groups):
        raise InputError(f"@{name} names one or more of Ask or Step, then at most one of Do.")

    def mark(function: F) -> F:
        marks = getattr(function, name, ())
        found = Mark(items, groups[0] if groups else None, next(iter(choices), ""))
        setattr(function, name, (*marks, found))
        return rule(function)
    return mark


def handles(*members: IntEnum, **choice: IntEnum) -> Callable[[F], F]:
    """Mark the rule that carries out a step, or follows an answer to a question."""
    return marked("handles", members, choice)


def refuses(*members: IntEnum, **choice: IntEnum) -> Callable[[F], F]:
    """Mark the rule that says why an answer to a question is refused now."""
    return marked("refuses", members, choice)


# Finding them ------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Handler:
    """A rule for one step, or for one group of answers to one question."""

    function: types.FunctionType
    item: int
    answers: range | None  # the actions it follows; None for all that nobody else does
    choice: str

    @property
    def name(self) -> str:
        """Unlike that of any other rule of the game."""
        return f"{self.home}_{self.function.__name__}"

    @property
    def home(self) -> str:
        return self.function.__module__.rpartition(".")[2]

    @property
    def where(self) -> str:
        return line_of(self.function)

    def call(self) -> str:
        """Its call in a chain; what it takes beyond the usual are the item's `a` and `b`."""
        rest = iter(("a", "b"))
        first = self.answers[0] if self.answers else 0
        arguments = []
        for name in inspect.signature(self.function).parameters:
            if name == self.choice:
                arguments.append(f"action - {first}")
            elif name in FIXED:
                arguments.append(name)
            elif (number := next(rest, "")):
                arguments.append(number)
            else:
                raise InputError(f"{self.where}: `{self.function.__name__}` takes `{name}`, and "
                                 "an item of the agenda holds no more than two numbers, a and b.")
        return f"{self.name}({', '.join(arguments)})"


def handlers_in(modules: Sequence[types.ModuleType], name: str, state: types.ModuleType
                ) -> list[Handler]:
    """Every rule of the modules that bears the mark, once for each item; two may not share one."""
    found: dict[tuple[int, range | None], Handler] = {}
    for module in modules:
        for function in vars(module).values():
            if getattr(function, "__module__", "") != module.__name__:
                continue
            for mark in getattr(function, name, ()):
                answers = group_of(mark.first, state)
                for item in mark.items:
                    handler = Handler(function, int(item), answers, mark.choice)
                    other = found.setdefault((int(item), answers), handler)
                    if other.function is not function:
                        raise InputError(f"{handler.where}: `{function.__name__}` and "
                                         f"`{other.function.__name__}` ({other.where}) both have "
                                         f"@{name} for {type(item).__name__}.{item.name}.")
    return list(found.values())


def answering(modules: Sequence[types.ModuleType], name: str, state: types.ModuleType
              ) -> list[Handler]:
    """The rules that bear the mark of a question."""
    return [handler for handler in handlers_in(modules, name, state) if handler.item < FIRST_STEP]


def group_of(first: IntEnum | None, state: types.ModuleType) -> range | None:
    """The actions from the first of a group to the next member of `Do`."""
    if first is None:
        return None
    return range(first, min([state.N_ACTIONS, *(do for do in state.Do if do > first)]))


def unhandled(modules: Sequence[types.ModuleType], state: types.ModuleType) -> Iterator[str]:
    """A sentence for each question and step that no rule bears the mark of."""
    done = {handler.item for handler in handlers_in(modules, "handles", state)}
    names = {name for module in modules for name in vars(module)}
    for kind, part, made_part in (("Ask", "answer", "handle_answer"),
                                  ("Step", "do_step", "handle_step")):
        by_hand = kind == "Ask" if "apply" in names else part in names and made_part not in names
        for member in getattr(state, kind, ()):
            if member not in done and not by_hand:
                yield (f"state.py: no rule handles {kind}.{member.name}. Mark the one that does "
                       f"with @handles({kind}.{member.name}).")


# Making chains of them ---------------------------------------------------------------------------

def step_chain(modules: Sequence[types.ModuleType], state: types.ModuleType
               ) -> types.FunctionType | None:
    """`handle_step`: does what is due, by the rule that bears its mark."""
    handlers = [h for h in handlers_in(modules, "handles", state) if h.item >= FIRST_STEP]
    return chain(modules[0], "handle_step", "s, c, step, seat, a, b, log", "step", handlers)


def answer_chain(modules: Sequence[types.ModuleType], state: types.ModuleType
                 ) -> types.FunctionType | None:
    """`handle_answer`: follows an answer, by the rule that bears the mark of its question."""
    handlers = answering(modules, "handles", state)
    return chain(modules[0], "handle_answer", "s, c, ask, seat, a, b, action, log", "ask",
                 handlers)


def chain(module: types.ModuleType, name: str, parameters: str, what: str,
          handlers: Sequence[Handler]) -> types.FunctionType | None:
    """One chain over all handlers, or one for each module where there are many."""
    if not handlers:
        return None
    if len(handlers) <= MOST_INLINED:
        return made(module, name, parameters, branches(what, handlers), scope_of(handlers))
    lines, scope = [], {"no_handler": no_handler}
    homes = {h.item: h.home for h in reversed(handlers)}  # all answers to a question in one chain
    for number, home in enumerate(sorted(set(homes.values()))):
        here = [h for h in handlers if homes[h.item] == home]
        scope[f"{name}_{number}"] = apart(made(module, f"{name}_{number}", parameters,
                                               branches(what, here), scope_of(here)))
        items = " or ".join(f"{what} == {item}" for item in dict.fromkeys(h.item for h in here))
        lines += [f"{'elif' if number else 'if'} {items}:", f"    {name}_{number}({parameters})"]
    return made(module, name, parameters, [*lines, *last(what)], scope)


def scope_of(handlers: Sequence[Handler]) -> dict[str, Any]:
    return {"no_handler": no_handler} | {h.name: h.function for h in handlers}


def last(what: str) -> list[str]:
    return ["else:", f"    no_handler(s, {what})"]


def branches(what: str, handlers: Sequence[Handler]) -> Iterator[str]:
    for number, item in enumerate(dict.fromkeys(h.item for h in handlers)):
        yield f"{'elif' if number else 'if'} {what} == {item}:"
        for line in answer_branches(what, [h for h in handlers if h.item == item]):
            yield f"    {line}"
    yield from last(what)


def answer_branches(what: str, handlers: Sequence[Handler]) -> Iterator[str]:
    """The groups of answers to one question, then the rule for all others."""
    groups = [handler for handler in handlers if handler.answers]
    others = [handler.call() for handler in handlers if not handler.answers]
    for number, handler in enumerate(groups):
        yield f"{'elif' if number else 'if'} {is_among(handler)}:"
        yield f"    {handler.call()}"
    if not groups:
        yield others[0]
    else:
        yield "else:"
        yield f"    {others[0]}" if others else f"    no_handler(s, {what})"


def is_among(handler: Handler) -> str:
    answers = handler.answers or range(0)
    if len(answers) == 1:
        return f"action == {answers[0]}"
    return f"{answers[0]} <= action < {answers[-1] + 1}"


def refusal_chain(modules: Sequence[types.ModuleType], state: types.ModuleType
                  ) -> types.FunctionType:
    """`refusal`: nothing is answered after the end, and no action that there is not.

    The rest is said by the game's own `answer_refusal`, or: what no handler follows is not asked,
    and for the others `@refuses` decides.
    """
    lines = ["if asked(s) == NOBODY:", "    return Refusal.OVER",
             f"if action < 0 or action >= {state.N_ACTIONS}:", "    return Refusal.NOT_ASKED",
             "ask, seat, a, b = top_item(s)"]
    scope = {"asked": asked, "top_item": top_item, "Refusal": state.Refusal, "NOBODY": NOBODY}
    own = getattr(modules[0], "answer_refusal", None)
    if own:
        lines.append("return answer_refusal(s, c, ask, seat, action)")
        return made(modules[0], "refusal", "s, c, action", lines, scope | {"answer_refusal": own})
    followed = answering(modules, "handles", state)
    refusing = {(h.item, h.answers): h for h in answering(modules, "refuses", state)}
    for handler in followed:
        among = f" and {is_among(handler)}" if handler.answers else ""
        why = refusing.get((handler.item, handler.answers)) or refusing.get((handler.item, None))
        lines += [f"if ask == {handler.item}{among}:",
                  f"    return {why.call() if why else 'Refusal.NONE'}"]
    return made(modules[0], "refusal", "s, c, action", [*lines, "return Refusal.NOT_ASKED"],
                scope | scope_of(list(refusing.values())))


def legal_chain(modules: Sequence[types.ModuleType], state: types.ModuleType
                ) -> types.FunctionType:
    """`legal` by default: of the answers that a handler follows, those that are not refused."""
    handlers = answering(modules, "handles", state)
    lines = ["ask, count = asked(s), 0"]
    for item in dict.fromkeys(h.item for h in handlers):
        groups = [h.answers or range(state.N_ACTIONS) for h in handlers if h.item == item]
        lines.append(f"if ask == {item}:")
        lines += [f"    count = list_legal(s, c, {group[0]}, {group[-1] + 1}, out, count)"
                  for group in sorted(groups, key=lambda group: group[0])]
    return made(modules[0], "legal", "s, c, out", [*lines, "return count"],
                {"asked": asked, "list_legal": list_legal})


def made(module: types.ModuleType, name: str, parameters: str, lines: Sequence[str] | Iterator[str],
         scope: dict[str, Any]) -> types.FunctionType:
    """A rule from its text; it belongs to a module, whose file names it to Numba's cache."""
    text = "\n    ".join([f"def {name}({parameters}):", *lines])
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1  # type: ignore[attr-defined]
    scope = {"__name__": module.__name__, **scope}
    exec(compile(tree, str(module.__file__), "exec"), scope)
    function = scope[name]
    function.text = text  # to read, and for the tests
    return rule(function)
