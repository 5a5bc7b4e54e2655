"""Boards are drawn piece by piece, and a piece that looks the same again is not drawn again.

Every macro at the top of a game's template is such a piece. What it can depend on is read from the
template: its arguments, the variables it names, and those of the macros it calls. Where all these
are plain data and were the same before, its HTML is, too. A game has nothing to declare; it gains
more the less a macro is given.
"""

import hashlib
import marshal
from collections.abc import Iterable, Sequence
from typing import Any

from jinja2 import Environment, meta, nodes, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

MOST_KEPT = 4_096  # pieces of all boards in a process, some ten megabytes; then we begin anew
SAME = frozenset({"words"})  # in every drawing of one content
METHODS = frozenset(dir(dict))


class BoardTemplates(Environment):
    """Templates whose macros are kept. Views are dictionaries: a key is not sought as an attribute
    first.
    """

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj and attribute not in METHODS:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """After each macro its name is given to what keeps it: `{% set card = kept(card, …) %}`."""
        parsed = super()._parse(source, name, filename)
        version = hashlib.blake2b(source.encode(), digest_size=8).hexdigest()
        found = {node.name: node for node in parsed.body if isinstance(node, nodes.Macro)}
        needs = {macro: self._needs(found[macro]) for macro in found}
        parsed.body = [one for node in parsed.body for one in (
            [node, keeping(node, f"{version} {node.name}", reached(node.name, needs))]
            if isinstance(node, nodes.Macro) else [node])]
        parsed.set_environment(self)
        return parsed

    def _needs(self, macro: nodes.Macro) -> set[str]:
        alone = nodes.Template([macro], lineno=1)
        alone.set_environment(self)
        return meta.find_undeclared_variables(alone)


def reached(macro: str, needs: dict[str, set[str]]) -> list[str]:
    """The variables that a macro and those it calls depend on."""
    found: set[str] = set()
    seen, waiting = {macro}, [macro]
    while waiting:
        for name in needs[waiting.pop()] - seen:
            seen.add(name)
            (waiting.append if name in needs else found.add)(name)
    return sorted(found - SAME)


def keeping(macro: nodes.Macro, identity: str, needed: Iterable[str]) -> nodes.Assign:
    line = macro.lineno
    arguments = [nodes.Name(macro.name, "load", lineno=line), nodes.Const(identity, lineno=line),
                 nodes.Const(tuple(needed), lineno=line)]
    call = nodes.Call(nodes.Name("kept", "load", lineno=line), arguments, [], None, None,
                      lineno=line)
    return nodes.Assign(nodes.Name(macro.name, "store", lineno=line), call, lineno=line)


class Kept:
    """A macro in one drawing, and what was drawn by it before."""

    def __init__(self, context: Context, macro: Any, identity: str, needed: Sequence[str]) -> None:
        self.context, self.macro = context, macro
        self.identity, self.needed = identity, needed
        self.pieces: dict[bytes, Markup] = context["pieces"]

    def __call__(self, *arguments: Any, **named: Any) -> Markup:
        key = self._key(arguments, named)
        if key is None:
            return self.macro(*arguments, **named)
        found = self.pieces.get(key)
        if found is None:
            if len(self.pieces) >= MOST_KEPT:
                self.pieces.clear()
            self.pieces[key] = found = self.macro(*arguments, **named)
        return found

    def _key(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> bytes | None:
        """What the piece is drawn from; None where that is not plain data."""
        around = [self.context.resolve_or_missing(name) for name in self.needed]
        try:  # version 2 writes equal data as equal bytes
            data = marshal.dumps((self.identity, arguments, named, around), 2)
        except ValueError:
            return None
        return hashlib.blake2b(data, digest_size=16).digest()


@pass_context
def kept(context: Context, macro: Any, identity: str, needed: Sequence[str]) -> Any:
    """In a template that is imported without the board's context the macro stays as it is."""
    return Kept(context, macro, identity, needed) if "pieces" in context else macro
