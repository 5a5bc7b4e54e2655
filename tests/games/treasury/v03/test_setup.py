"""Cards, zones, setup and what each seat may know (T3-1 to T3-14, T3-50, T3-51)."""

import collections

import pytest

from exchequer.core.build import Mode
from exchequer.core.content import ContentError
from exchequer.core.lookup import thing
from exchequer.core.position import Position
from exchequer.games.treasury.faces import provisions
from exchequer.games.treasury.v03 import GAME
from exchequer.games.treasury.v03.cards import N_CARDS, Ability, Card, Effect, Icon
from exchequer.games.treasury.v03.holdings import business_pile, development_pile
from exchequer.games.treasury.v03.state import Ask, Do, Event, Pile
from exchequer.games.treasury.v03.words import ability_text, event_text, is_ours
from games.treasury.v03.tabletop import Table

A, B = 0, 1


def new_game(seats=2, seed=1, **settings):
    return Position(GAME, GAME.content(settings), seats, seed, Mode.PYTHON)


def sizes(position):
    start = position.state.start
    return [int(start[pile + 1] - start[pile]) for pile in range(len(start) - 1)]


def test_t3_1_two_to_four_players():
    assert GAME.seats == (2, 4)
    with pytest.raises(ValueError, match="2 to 4 players, not 5"):
        new_game(5)


def test_t3_2_a_card_has_two_halves_and_a_back():
    c = GAME.content().record
    quarry = c.card[Card.I01]
    assert (quarry.develop_cost, quarry.gold_cost, quarry.contract) == (2, 6, 2)
    assert [Icon(i) for i in c.icons[Card.I01] if i >= 0] == [Icon.STONE]
    assert quarry.demand == Icon.SCIENCE and quarry.barbarian == 1
    assert c.back[Card.I01] == 2


def test_t3_3_demand_is_always_for_a_good():
    c = GAME.content().record
    assert all(c.card[card].demand < Icon.CLUBS for card in range(N_CARDS))
    with pytest.raises(ContentError, match="'spears' is a weapon"):
        GAME.content({"card": {"a01": {"demand": "spears"}}})


def test_t3_4_a_business_is_a_startup_or_open_and_may_be_contracted():
    table = Table().startup(A, "a10").opened(A, "a18", contract="a29")
    assert table.s.startups[A] == 0b01 and table.s.opened[A] == table.s.contracted[A] == 0b10


def test_t3_5_only_open_businesses_provide_and_work():
    table = Table().startup(A, "a06").opened(A, "i02", contract="i07")
    provided = {Icon(i).name: int(n) for i, n in enumerate(table.s.provided[A]) if n}
    assert provided == {"STONE": 1, "SPEARS": 1}  # Armory, contracted; Farmer is a startup
    assert not table.s.abilities[A] >> Ability.ACTION_GAIN & 1
    assert table.s.abilities[A] >> Ability.BEFORE_PAYOUT_TAKE_TREASURY & 1


def test_t3_6_t3_7_the_civ_has_a_treasury_a_size_and_an_age():
    position = new_game(3)
    assert position.state.treasury == 6 and position.state.age == 1


def test_t3_8_nobody_pays_more_than_there_is():
    table = Table().opened(B, "a02")  # Baker takes 1 from a player without food
    table.gold = [0, 0]
    table.round_step(2)
    assert table.gold == [0, 0]
    table.s.treasury = 1
    table.demand("a01", "a02").event("a09")  # Barbarians: strength 2, treasury 1
    assert table.s.treasury == 0


def test_t3_9_each_seat_knows_its_own_cards_only():
    position = new_game(3)
    position.play(position.legal()[0])  # the last seat lays its card
    view = position.view(0)
    assert all(card["card"] for card in view["players"][0]["hand"])
    assert all(card == {"card": "", "back": "I"} for card in view["players"][1]["hand"])
    assert view["current"] == [{"card": "", "back": "I"}] or position.state.first == 1


def test_t3_9_what_one_has_seeded_one_may_remember():
    table = Table().hand(A, "a01", "a02").hand(B, "a03").play("seed:action", "card:a01")
    mine = table.position.view(A)["future"]
    theirs = table.position.view(B)["future"]
    assert mine[0]["card"] == "a01" and theirs == [{"card": "", "back": "I"}]


def test_t3_9_a_card_laid_face_down_is_lost_from_sight_with_its_like():
    # B has seen a01 and i01 in A's hand; A lays an age-I card down: it might be a01.
    table = Table().hand(A, "a01", "a02", "i01")
    table.s.known[table.s.card == Card.A01] = 255
    table.s.known[table.s.card == Card.I01] = 255
    table.play("start:down", "card:a02")
    hand = [card["card"] for card in table.position.view(B)["players"][A]["hand"]]
    assert hand == ["", "i01"]


def test_t3_9_r3_61_the_order_of_a_hand_is_not_seen():
    # A lays a01; whether it lay before or after i01 in the hand B cannot tell.
    seen = []
    for hand in (("a01", "i01", "a02"), ("a02", "i01", "a01")):
        table = Table().hand(A, *hand).hand(B, "a03").play("start:down", "card:a01")
        seen.append(table.position.observe(B).tobytes())
    assert seen[0] == seen[1]


def test_t3_9_r3_61_the_order_of_cards_in_the_works_is_not_seen():
    # Volcano takes a05 from below or above i02, or, where all go, Boss's owner looks at them.
    for more, ask in ((("a06", "a07"), Ask.VOLCANO), ((), Ask.BOSS)):
        seen = []
        for cards in (("a05", "i02"), ("i02", "a05")):
            table = Table().opened(A, "a28", contract="a25").startup(A, "a10", *cards, *more)
            table.event("i07")
            if more:
                table.play("card:a05")
            assert table.asked == ask
            seen.append(table.position.observe(B).tobytes())
        assert seen[0] == seen[1]


def test_t3_9_nobody_sees_what_others_know_but_their_owner_keeps_it():
    table = Table(3).startup(B, "a10", "a05").hand(A, "a08")
    table.opened(A, "a03").play("use:1")  # Mentor looks at B's startup
    place = table.s.card.tolist().index(Card.A10)
    assert table.s.known[place] == 1 << A | 1 << B
    assert [int(table.position.observe(seat)[0].known[place]) for seat in range(3)] \
        == [1 << A, 1 << B, 0]
    world = table.position.determinize(2, 1)[0]
    for pile in (business_pile(B, 0), development_pile(B, 0)):
        assert world.known[world.start[pile]] >> B & 1


def test_t3_10_r3_51_gold_from_the_starting_player_on():
    for seed in range(6):
        s = new_game(4, seed).state
        assert s.treasury == 8
        assert [int(s.gold[(s.first + k) % 4]) for k in range(4)] == [2, 3, 4, 5]
    assert len({int(new_game(4, seed).state.first) for seed in range(20)}) == 4  # by lot


@pytest.mark.parametrize(("seats", "boxed", "deck", "total"),
                         [(2, 20, 6, 34), (3, 12, 9, 51), (4, 4, 12, 68)])
def test_t3_11_t3_12_t3_14_the_count_of_cards(seats, boxed, deck, total):
    position = new_game(seats)
    count = sizes(position)
    assert count[Pile.HAND: Pile.HAND + seats] == [8] * seats
    assert count[Pile.DECK: Pile.DECK + 3] == [deck] * 3
    ages = collections.Counter(int(position.content.record.age[card]) for card
                               in position.state.card[position.state.start[Pile.BOX]:
                                                      position.state.start[Pile.BOX + 1]])
    assert ages == {1: boxed, 2: 16 - deck, 3: 16 - deck, 4: 16 - deck, 0: 12}
    assert 8 * seats + 3 * deck == total


def test_t3_13_each_lays_a_card_the_last_player_first():
    position = new_game(3)
    s, laid = position.state, []
    order = [(int(s.first) + k) % 3 for k in (2, 1, 0)]
    for seat in order:
        assert position.actor == seat and position.engine.question(s) == Ask.SETUP_CARD
        action = position.legal()[0]
        laid.append(action - Do.PICK)
        position.play(action)
    current = s.card[s.start[Pile.CURRENT]: s.start[Pile.CURRENT + 1]].tolist()
    assert current == laid  # the starting player's card is on top
    assert sizes(position)[Pile.HAND: Pile.HAND + 3] == [7] * 3
    assert position.engine.question(s) == Ask.TURN and position.actor == s.first


def test_t3_50_the_sets_and_their_sources():
    words = GAME.content().words["card"]
    rows = collections.Counter(card["tier"] for card in words.values())
    assert rows == {"a": 36, "i": 16, "ii": 16, "iii": 16, "iv": 12}
    ours = {key for key in words if words[key]["source"] == "ours"}
    assert ours == {key for key in words if words[key]["tier"] in ("iii", "iv")}
    assert is_ours(GAME.content(), Card.III01) and not is_ours(GAME.content(), Card.A01)


def test_t3_50_house_cards_are_shown_as_ours():
    table = Table().hand(A, "iii01", "a01")
    hand = table.position.view(A)["players"][A]["hand"]
    assert [card["ours"] for card in hand] == [True, False]
    about = GAME.text["about"]
    assert "ours" in about["allow_pass"] and "ours" in about["age_clock"]


def test_t3_51_r3_1_merged_rows_use_the_reserve():
    position = new_game(4, age_tiers="merged")
    c, s = position.content.record, position.state
    assert collections.Counter(c.age.tolist()) == {1: 36, 2: 32, 3: 16, 4: 12}
    deck = s.card[s.start[Pile.DECK + 2]: s.start[Pile.DECK + 3]].tolist()
    assert sorted(deck) == list(range(Card.IV01, N_CARDS))  # four players use all 12 of age IV
    assert c.last_age[Card.II02] == 3  # bronze until row III, which is age III here


@pytest.mark.parametrize(("cards", "decks"), [(0, [16] * 3), (2, [8] * 3), (4, [16] * 3)])
def test_r3_5_deck_sizes(cards, decks):
    assert sizes(new_game(4, cards_per_player_per_age=cards))[: 3] == decks


def test_r3_5_never_more_than_there_are():
    assert sizes(new_game(4, cards_per_player_per_age=4, age_tiers="merged"))[: 3] == [16, 16, 12]


@pytest.mark.parametrize(("overlay", "sentence"), [
    ({"age_tiers": "I,II"}, 'not one of "A,I,II,III", "merged"'),
    ({"cards_per_player_per_age": 5}, "5 is not 0 .every card., 2, 3 or 4"),
    ({"start_gold": [1, 2]}, "a list of 4 whole numbers from 0 to 99"),
    ({"card": {"a01": {"provides": []}}}, "a list of one to three icons"),
    ({"card": {"a01": {"provides": ["gold"]}}}, "'gold' is no icon"),
    ({"card": {"a06": {"ability": [{"id": "action_gain"}]}}}, "action_gain needs exactly gold"),
    ({"card": {"a06": {"ability": [{"id": "dance"}]}}}, "'dance' is none of"),
    ({"card": {"a06": {"ability": ["dance"]}}}, "must be written"),
    ({"card": {"a06": {"ability": [{"id": "action_gain", "gold": -1}]}}}, "gold = -1 is not"),
    ({"card": {"iii04": {"event": {"id": "treasury_loss_fraction", "divisor": 0}}}},
     "divisor = 0 is not a whole number from 1"),
    ({"card": {"a01": {"event": {"id": "science_draw_then_demand", "who": "all"}}}},
     "not one of providers, leaders"),
    ({"card": {"i16": {"event": {"id": "unarmed_lose_turn", "min_weapon": "food"}}}},
     "'food' is no weapon"),
    ({"card": {"ii10": {"ability": [{"id": "wild_demand", "icon": "food", "count": 1}]}}},
     "must name the same icon"),
    ({"icon": {"food": {"last": "x"}}}, 'or "never"'),
])
def test_content_is_refused_with_a_sentence(overlay, sentence):
    with pytest.raises(ContentError, match=sentence):
        GAME.content(overlay)


def test_every_card_can_be_read_aloud():
    content = GAME.content()
    for card in range(N_CARDS):
        for text in (ability_text(content, card), event_text(content, card)):
            assert text and "{" not in text
    used = {int(code) for row in content.record.codes for code in row if code >= 0}
    assert used == set(Ability) and set(content.record.effects.tolist()) == set(Effect)


def test_the_log_of_a_secret_names_no_card_to_others():
    table = Table().hand(A, "a01", "a02").play("seed:action", "card:a01")
    entry = table.told(Event.SEEDED)[0]
    assert entry.known == 1 << A
    assert "Discovery" in " ".join(table.position.told(A, ["Ann", "Ben"], 1))
    assert "Discovery" not in table.position.told(B, ["Ann", "Ben"], 1)[0]


@pytest.mark.parametrize(("tiers", "aid"), [
    ("A,I,II,III", "clubs after age II; hides, stone and spears after age III; nothing else."),
    ("merged", "hides, stone, clubs and spears after age II; bronze and swords after age III; "
               "nothing else.")])
def test_t3_31_people_are_told_the_age_not_the_designers_row(tiers, aid):
    content = GAME.content({"age_tiers": tiers})
    assert "up to age II (row I of the cards)" in thing(GAME, content, "icon", "clubs").full
    assert GAME.module("pieces").out_of_date(content) == aid


def test_t3_2_what_a_card_provides_is_counted():
    assert provisions(["food", "stone"]) == "food and stone"
    assert provisions(["food", "food", "stone"]) == "2 food and 1 stone"
