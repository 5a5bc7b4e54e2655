"""A rulebook as blocks for Typst: `rulebook.md` with the numbers of this content filled in.

Rulebooks write a number beside the key that changes it: 10 (`start_gold`), or `hand` cards (8).
There the content's own number is put; a key that stands alone gets its value behind it. A card's
number behind its name, Mill (7), is filled in, too. What a variant changed is marked in its
paragraph and listed on the first page.
"""

import re
from collections.abc import Iterator
from typing import Any

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.printing.paper import paper_size, said
from exchequer.printing.pieces import decks_of
from exchequer.printing.press import edition, leaves, variant_title
from exchequer.printing.typeset import typeset

NAMES = ["Ann", "Ben", "Cy", "Dee", "Eve", "Flo"]
NUMBERED = re.compile(r"^\*\*([A-Z]\w*-R?\d+[a-z]?) ?(.*?)\*\*\s*(.*)$", re.DOTALL)
INLINE = re.compile(
    r"(?P<before>-?\d+)(?P<unit>c?) \(`(?P<key>\w+)`\)"  # 10 (`start_gold`)
    r"|`(?P<named>\w+)`(?P<between>(?: \w+){0,2}) \((?P<after>-?\d+)\)"  # `hand` cards (8)
    r"|\[\[(?P<filled>[^\]]+)\]\]"  # put there by `with_card_numbers`
    r"|`(?P<alone>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*]+)\*")

Block = dict[str, Any]
Run = dict[str, str]


def rulebook_pdf(game: Game, content: Content, paper: str = "a4") -> bytes:
    pictured = pictures(game, content)
    return typeset(game, "rulebook", {
        "paper": paper_size(paper), "summary": content.words["summary"],
        "length": content.words.get("length", ""), "seats": players(game),
        "variant": variant_title(content), "edition": edition(game, content),
        "changes": changes(game, content), "blocks": list(blocks(game, content)),
        "pictures": pictured, "example": example(game, content)})


def players(game: Game) -> str:
    fewest, most = game.seats
    if most == 1:
        return "for one player"
    return f"for {fewest} players" if fewest == most else f"for {fewest} to {most} players"


# What a variant changed --------------------------------------------------------------------------

def changes(game: Game, content: Content) -> list[dict[str, str]]:
    """Every changed value: what it is, what it was, what it does."""
    return [{"key": " ".join(path), "old": shown(found(game.text, path)), "new": shown(value),
             "about": content.words["about"].get(path[-1], "") if path[0] == "rules" else ""}
            for path, value in leaves(content.overlay)]


def found(text: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        text = text.get(key, {}) if isinstance(text, dict) else {}
    return text


def shown(value: Any) -> str:
    if value == {}:
        return "nothing"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return ", ".join(shown(part) for part in value) or "nothing"
    return str(value)


def marks(game: Game, content: Content) -> dict[str, list[str]]:
    """Notes beside paragraphs: those that name a changed key, or whose title is a changed card."""
    notes: dict[str, list[str]] = {}
    for path, value in leaves(content.overlay):
        note = f"{path[-1]}: {shown(found(game.text, path))} is now {shown(value)}"
        for number in paragraphs_about(game, content, path):
            notes.setdefault(number, []).append(note)
    return notes


def paragraphs_about(game: Game, content: Content, path: tuple[str, ...]) -> list[str]:
    if path[0] == "rules":
        cited = re.findall(r"[A-Z]\w*-R?\d+[a-z]?", content.words["about"].get(path[1], ""))
        return [number for number, _, text in numbered(game)
                if number in cited or f"`{path[1]}`" in text]
    name = found(game.text, (*path[:-1], "name"))
    return [number for number, title, _ in numbered(game)
            if isinstance(name, str) and re.match(rf"{re.escape(name)}\b", title)]


# Blocks ------------------------------------------------------------------------------------------

def sections(game: Game) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", game.rulebook) if part.strip()]


def numbered(game: Game) -> Iterator[tuple[str, str, str]]:
    """Number, title and text of each numbered paragraph."""
    for section in sections(game):
        if match := NUMBERED.match(section):
            yield match[1], match[2], match[3]


def blocks(game: Game, content: Content) -> Iterator[Block]:
    notes = marks(game, content)
    chosen = getattr(game.module("pieces"), "PICTURES", {})
    for section in sections(game):
        section = with_card_numbers(game, content, section)
        if heading := re.match(r"^(#+) (.*)$", section):
            yield {"kind": "heading", "level": len(heading[1]), "text": heading[2]}
        elif section.startswith("|"):
            yield {"kind": "table", "rows": [
                [runs(content, cell.strip()) for cell in row.strip().strip("|").split("|")]
                for row in section.splitlines() if not re.match(r"^\|[-|: ]+\|$", row)]}
        else:
            match = NUMBERED.match(section)
            number, title, text = match.groups() if match else ("", "", section)
            yield {"kind": "paragraph", "number": number, "title": runs(content, title),
                   "parts": list(parts(content, text)), "notes": notes.get(number, []),
                   "pictures": chosen.get(number, [])}


def with_card_numbers(game: Game, content: Content, text: str) -> str:
    """A changed number that stands behind the name of its card: Land 2, Mill (7)."""
    for path, value in leaves(content.overlay):
        name, old = found(game.text, (*path[:-1], "name")), found(game.text, path)
        if isinstance(name, str) and type(old) is int:
            text = re.sub(rf"(\b{re.escape(name)}(?:\*\*)? \(?){old}\b", rf"\g<1>[[{value}]]", text)
    return text


def parts(content: Content, text: str) -> Iterator[Block]:
    """A paragraph's text, and the numbered steps in it."""
    steps = re.split(r"^\d+\. ", text, flags=re.MULTILINE)
    if steps[0].strip():
        yield {"steps": [], "runs": runs(content, steps[0])}
    if steps[1:]:
        yield {"steps": [runs(content, step) for step in steps[1:]], "runs": []}


def runs(content: Content, text: str) -> list[Run]:
    """Pieces of a line in one style each; numbers come from the content."""
    text, result, at = " ".join(text.split()), [], 0
    for match in INLINE.finditer(text):
        result.append({"style": "text", "text": text[at:match.start()]})
        result += styled(content, match)
        at = match.end()
    result.append({"style": "text", "text": text[at:]})
    return [run for run in result if run["text"]]


def styled(content: Content, match: re.Match[str]) -> list[Run]:
    if match["bold"] or match["italic"]:
        return [{"style": "bold" if match["bold"] else "italic",
                 "text": match["bold"] or match["italic"]}]
    if match["filled"]:
        return [{"style": "changed", "text": match["filled"]}]
    key = match["key"] or match["named"] or match["alone"]
    rules, name = content.words["rules"], {"style": "key", "text": key}
    if match["key"]:
        value = filled(content, key, match["before"])
        return [value, {"style": "text", "text": match["unit"] + " "}, name | {"text": f"({key})"}]
    if match["named"]:
        return [name, {"style": "text", "text": match["between"] + " ("},
                filled(content, key, match["after"]), {"style": "text", "text": ")"}]
    if key not in rules:
        return [name]
    inside = match.string[:match.start()].endswith("(")
    opening, closing = (": ", "") if inside else (" (", ")")
    return [name, {"style": "text", "text": opening}, filled(content, key, ""),
            {"style": "text", "text": closing}]


def filled(content: Content, key: str, printed: str) -> Run:
    """The content's value; what the rulebook prints where the key is none of the rules."""
    value = shown(content.words["rules"][key]) if key in content.words["rules"] else printed
    changed = key in content.overlay.get("rules", {})
    return {"style": "changed" if changed else "value", "text": value}


# Pictures and an example -------------------------------------------------------------------------

def pictures(game: Game, content: Content) -> dict[str, Any]:
    """The pieces that the rulebook shows, by id; a variant may have left one out."""
    wanted = {key for keys in getattr(game.module("pieces"), "PICTURES", {}).values()
              for key in keys}
    return {piece.id: {"width": deck.width, "height": deck.height, "name": piece.name,
                       **said(piece.front)}
            for deck in decks_of(game, content) for piece in deck.pieces if piece.id in wanted}


def example(game: Game, content: Content) -> list[dict[str, Any]]:
    """The moves of `EXAMPLE` played by these rules: what is done and what then happens.

    It ends where a variant does not allow a move.
    """
    script = getattr(game.module("pieces"), "EXAMPLE", None)
    if script is None:
        return []
    position = Position(game, content, script["seats"], script["seed"], Mode.PYTHON)
    told = [{"move": "", "lines": position.told(None, NAMES)}]
    for text in script["moves"]:
        action = game.words.TEXTS.move(text)
        menu = dict(position.menu())
        if action not in menu:
            break
        who = NAMES[position.actor]
        position.play(action)
        told.append({"move": f"{who}: {menu[action]}",
                     "lines": position.told(None, NAMES, len(position.logs) - 1)})
    return told


