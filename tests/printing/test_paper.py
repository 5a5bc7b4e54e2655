"""The PDF of every game read back: pages, pieces, places, backs, crop marks, text in its box."""

import pymupdf
import pytest

from exchequer.core.content import settings
from exchequer.core.errors import InputError
from exchequer.core.find import find_game, game_names
from exchequer.core.pieces import Deck, Face, Piece
from exchequer.printing.paper import MARGIN, PAPERS, grid_for, pages
from exchequer.printing.pieces import changed, decks_of
from exchequer.printing.press import print_and_play, unshown
from exchequer.printing.typeset import DoesNotFit
from printing.reading import POINT, cells, centre, collisions, inside, printed

GAMES = game_names()
PIECES = {  # what each game's rulebook asks for
    "greement": {"squares": 160, "events": 67, "table": 1, "aids": 6, "markers": 120},
    "jagged_time": {"actions": 68, "objectives": 56, "milestones": 4, "mat": 1, "aids": 2,
                    "trackers": 5, "clocks": 4},
    "kingdom": {"boards": 2, "buildings": 24, "aids": 2, "lands": 16, "developments": 50,
                "people": 22, "markers": 18},
    "treasury/v03": {"cards": 84, "aids": 4, "event_aids": 4, "gold": 96, "mat": 1},
    "treasury/v17": {"cards": 91, "aids": 4, "event_aids": 4, "gold": 96, "mat": 1},
}
PAGES = {"greement": 28, "jagged_time": 38, "kingdom": 12, "treasury/v03": 28, "treasury/v17": 30}
SMALLEST = 4.9  # points; ids on cards have 5


def flat(text):
    return "".join(text.split())


@pytest.mark.parametrize("name", GAMES)
def test_pages_and_pieces_are_counted(name):
    it = printed(name)
    assert {deck.id: deck.copies for deck in it.decks} == PIECES[name]
    assert len(it.pdf) == PAGES[name] == len(it.laid) + 2
    assert [page["side"] for page in it.laid] == ["front", "back"] * (len(it.laid) // 2)
    assert sum(1 for _, page in it.sides("front") for _ in cells(page)) == sum(
        PIECES[name].values())
    for page in it.pdf:
        assert [round(edge * POINT, 1) for edge in page.rect[2:]] == [210.0, 297.0]


@pytest.mark.parametrize("name", GAMES)
def test_every_named_piece_stands_in_its_place(name):
    it = printed(name)
    for number, page in it.sides("front"):
        words = it.words(number)
        for _, cell, box in cells(page):
            there = flat("".join(word[4] for word in words if inside(word, box)))
            if "name" in cell["data"] and cell["face"] != "clock":
                assert flat(cell["data"]["name"]) in there, cell["id"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("side", ["front", "back"])
def test_no_text_leaves_its_piece_or_covers_another(name, side):
    it = printed(name)
    for number, page in it.sides(side):
        words = it.words(number)
        boxes = [box for _, _, box in cells(page)]
        outside = [word for word in words if not any(inside(word, box) for box in boxes)]
        assert all(word[3] - word[1] < 3 for word in outside)  # only the small print of the margin
        margin = "".join(word[4] for word in outside)
        assert not outside or ("content" in margin and "page" in margin), outside
        assert collisions(words) == []
        sizes = [span["size"] for block in it.page(number).get_text("dict")["blocks"]
                 for line in block.get("lines", []) for span in line["spans"]]
        assert min(sizes, default=SMALLEST) >= SMALLEST


@pytest.mark.parametrize("name", ["treasury/v03", "treasury/v17"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_age_on_the_back_lies_behind_its_card(name, paper):
    """Turned over the long edge: the same height, the column mirrored."""
    it = printed(name, paper)
    width = PAPERS[paper][0]
    for number, page in it.sides("front"):
        backs = it.words(number + 1)
        for block, cell, box in cells(page):
            if block["deck"] != "cards":
                continue
            x, y = centre(box)
            behind = [word for word in backs if abs(centre(word)[0] - (width - x)) < 0.3
                      and abs(centre(word)[1] - y) < 2]
            piece = next(piece for piece in it.decks[0].pieces if piece.id == cell["id"])
            assert [word[4] for word in behind] == [piece.back.data["label"]], cell["id"]


@pytest.mark.parametrize("name", GAMES)
def test_fronts_and_backs_mirror_each_other(name):
    it = printed(name)
    for number, page in it.sides("front"):
        picture = it.picture(number + 1, 2, "gray")
        behind = {(round(centre(box)[0], 6), round(centre(box)[1], 6))
                  for _, _, box in cells(it.laid[number + 1])}
        for block, cell, box in cells(page):
            deck = next(deck for deck in it.decks if deck.id == block["deck"])
            piece = next(piece for piece in deck.pieces if piece.id == cell["id"])
            x, y = centre(box)
            if piece.back is None:
                continue
            assert (round(210 - x, 6), round(y, 6)) in behind
            shades = {picture.pixel(int(2 * (210 - x) + dx), int(2 * y + dy))[0]
                      for dx in range(-12, 13) for dy in range(-12, 13)}
            assert min(shades) < 235, f"nothing is printed behind {cell['id']}"


@pytest.mark.parametrize("name", ["treasury/v17"])
def test_crop_marks_stand_at_every_edge_and_outside_of_the_bleed(name):
    it = printed(name)
    block = it.laid[0]["blocks"][0]
    bleed = block["bleed"]
    lines = [[point * POINT for point in (*item[1], *item[2])]
             for path in it.page(0).get_drawings() for item in path["items"]
             if item[0] == "l" and path["type"] == "s" and abs(path["width"] - 0.3) < 0.01]
    upright = sorted({round(x, 2) for x, _, to, _ in lines if abs(x - to) < 0.01})
    level = sorted({round(y, 2) for _, y, _, to in lines if abs(y - to) < 0.01})
    assert upright == [round(x, 2) for x in block["cuts"]["x"]]
    assert level == [round(y, 2) for y in block["cuts"]["y"]]
    for x, y, to_x, to_y in lines:
        beside = max(x, to_x) < block["cuts"]["x"][0] - bleed or min(x, to_x) > \
            block["cuts"]["x"][-1] + bleed
        above = max(y, to_y) < block["cuts"]["y"][0] - bleed or min(y, to_y) > \
            block["cuts"]["y"][-1] + bleed
        assert beside or above
        assert min(x, to_x, y, to_y) > 0.5


@pytest.mark.parametrize("name", ["treasury/v17"])
def test_colour_runs_over_every_edge(name):
    it = printed(name)
    scale = 8
    picture = it.picture(0, scale)
    for block, _, (left, top, right, bottom) in cells(it.laid[0]):
        out = block["bleed"] * 0.6
        for x, y, inner_x, inner_y in [
                (left - out, top + 5, left + 0.5, top + 5), (right + out, top + 5, right - 0.5,
                                                            top + 5),
                (left - out, bottom - 3, left + 0.5, bottom - 3),
                (left + 1.5, bottom + out, left + 1.5, bottom - 0.5),
                (left + 1.5, top - out, left + 1.5, top + 0.5)]:
            outer = picture.pixel(int(x * scale), int(y * scale))
            inner = picture.pixel(int(inner_x * scale), int(inner_y * scale))
            assert max(abs(a - b) for a, b in zip(outer, inner, strict=True)) < 6


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", GAMES)
def test_everything_fits_both_papers(name, paper):
    width, height = PAPERS[paper]
    game = find_game(name)
    for page in pages(decks_of(game, game.content()), PAPERS[paper], True):
        for block, _, (left, top, right, bottom) in cells(page):
            bleed = block["bleed"]
            assert left - bleed >= MARGIN - 0.01 and right + bleed <= width - MARGIN + 0.01
            assert top - bleed >= MARGIN - 0.01 and bottom + bleed <= height - MARGIN + 0.01


@pytest.mark.parametrize("name", GAMES)
def test_pieces_of_one_page_do_not_overlap(name):
    for page in printed(name).laid:
        boxes = sorted(box for _, _, box in cells(page))
        for i, one in enumerate(boxes):
            for other in boxes[i + 1:]:
                assert one[2] <= other[0] + 1e-6 or one[3] <= other[1] + 1e-6 \
                    or other[3] <= one[1] + 1e-6


def test_a_page_holds_nine_cards_on_either_paper():
    deck = Deck("cards", "Cards", 63, 88, "card", ())
    grids = {paper: grid_for(deck, size) for paper, size in PAPERS.items()}
    assert {paper: (grid.columns, grid.rows, grid.bleed) for paper, grid in grids.items()} == {
        "a4": (3, 3, 1.5), "letter": (3, 3, 1.0)}


def test_what_is_larger_than_the_paper_is_refused():
    deck = Deck("maps", "Maps", 300, 300, "board", ())
    says = "Maps: 300 x 300 mm does not fit on paper of 210 x 297 mm"
    with pytest.raises(InputError, match=says):
        grid_for(deck, PAPERS["a4"])


# Text that does not fit --------------------------------------------------------------------------

LONG = "Nobody may look at this before the end of the age, unless somebody asks for it. " * 12


@pytest.mark.parametrize(("name", "key", "piece"), [
    ("greement", "event.boom.name", "boom"),
    ("jagged_time", "action.C1.name", "C1"),
    ("kingdom", "building.mill.text", "mill"),
    ("kingdom", "role.council.text", "board_a"),
    ("treasury/v03", "card.a01.event_name", "a01"),
    ("treasury/v17", "ability.eoa_dig.text", "tanner"),
])
def test_a_text_that_is_too_long_is_refused_with_its_piece(name, key, piece):
    game = find_game(name)
    with pytest.raises(DoesNotFit, match=rf"{game.title}: {piece}: .* does not fit its box of "
                                         r"\d+ x \d+ mm even at [\d.]+ pt; shorten"):
        print_and_play(game, game.variant(None, settings([f"{key}={LONG}"])), since=game.content())


def test_a_word_that_is_too_wide_is_refused():
    game = find_game("kingdom")
    word = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen"
    with pytest.raises(DoesNotFit, match="mill: the text does not fit"):
        print_and_play(game, game.variant(None, settings([f"building.mill.text={word}"])),
                       since=game.content())


def test_a_long_text_is_set_smaller_down_to_its_least_size():
    game = find_game("kingdom")
    text = LONG[:240].rsplit(" ", 1)[0] + "."
    content = game.variant(None, settings([f"building.mill.text={text}"]))
    pdf, _ = print_and_play(game, content, since=game.content())
    sizes = [span["size"] for block in pymupdf.open(stream=pdf)[2].get_text("dict")["blocks"]
             for line in block["lines"] for span in line["spans"] if "Nobody" in span["text"]]
    assert sizes and all(6 <= size < 9.5 for size in sizes)


# Only what changed -------------------------------------------------------------------------------

def test_since_prints_only_changed_pieces():
    game = find_game("treasury/v17")
    content = game.variant(None, settings(["card.tanner.gold_cost=4", "draw_limit=9"]))
    pdf, decks = print_and_play(game, content, since=game.content())
    assert {deck.id: [piece.id for piece in deck.pieces] for deck in decks} == {
        "cards": ["tanner"], "aids": ["aid"]}
    assert len(pdf) > 0


def test_since_prints_an_event_on_all_its_cards():
    game = find_game("treasury/v17")
    content = game.variant(None, settings(["event.winter.name=Hard Winter"]))
    bearers = [key for key, card in game.text["card"].items() if card["event"] == "winter"]
    cards, aids = changed(decks_of(game, content), decks_of(game, game.content()))
    assert [piece.id for piece in cards.pieces] == bearers != []
    assert [piece.id for piece in aids.pieces] == ["event_aid"]


def test_since_prints_more_copies_by_their_difference():
    before = Piece("boom", "Boom", 1, Face("event", {}), None)
    now = Piece("boom", "Boom", 4, Face("event", {}), None)
    deck = Deck("events", "Events", 63, 88, "card", (now,))
    [again] = changed([deck], [Deck("events", "Events", 63, 88, "card", (before,))])
    assert again.pieces[0].copies == 3


def test_since_the_same_content_there_is_nothing_to_print():
    game = find_game("kingdom")
    with pytest.raises(InputError, match="Kingdom: no piece has changed"):
        print_and_play(game, game.content(), since=game.content())


def test_a_change_that_no_piece_shows_is_noticed():
    game = find_game("treasury/v17")
    deeper = settings(['card.tanner.ability=[{"id": "eoa_dig", "amount": 4, "count": 1}]',
                       "card.tanner.gold_cost=4", "start_gold=4"])
    assert unshown(game, game.variant(None, deeper)) == []  # its text follows from it
    game = find_game("jagged_time")
    assert unshown(game, game.variant(None, settings(['action.C5.aliases=["Envoys"]']))) == [
        "action.C5.aliases"]


def test_the_same_content_gives_the_same_bytes():
    game = find_game("kingdom")
    assert print_and_play(game, game.content())[0] == print_and_play(game, game.content())[0]




@pytest.mark.parametrize(("name", "variant", "pairs"), [
    ("greement", "designer_2017_08", []), ("jagged_time", "brutal", []),
    ("jagged_time", None, ["misfortune=action", "volunteers_both=true"]),
    ("kingdom", None, ["building_uniqueness=shared", "hr_castle_hp=500"]),
    ("treasury/v03", None, ["age_tiers=merged"])])
def test_variants_print_what_they_change(name, variant, pairs):
    game = find_game(name)
    content = game.variant(variant, settings(pairs))
    pdf, decks = print_and_play(game, content, since=game.content())
    assert pdf.startswith(b"%PDF") and decks


def test_a_variant_prints_its_own_number_of_cards():
    game = find_game("greement")
    events = decks_of(game, game.variant("designer_2017_08"))[1]
    assert events.copies == 67 - 12  # no cards about loans: 2 + 1 + 1 + 5 + 3
    shared = find_game("kingdom").variant(None, settings(["building_uniqueness=shared"]))
    assert decks_of(find_game("kingdom"), shared)[1].copies == 12


def test_fronts_alone_have_no_pages_between():
    game = find_game("kingdom")
    decks = decks_of(game, game.content())
    laid = pages(decks, PAPERS["a4"], backs=False)
    assert [page["side"] for page in laid] == ["front"] * (PAGES["kingdom"] // 2 - 1)
