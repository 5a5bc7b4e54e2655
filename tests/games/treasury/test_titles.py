"""What cards are called that share both titles."""

from exchequer.games.treasury.titles import told_apart


def test_cards_that_share_titles_are_told_apart_by_a_few_words():
    abilities = ["On your turn, while it is unpaid: take 1.", "As soon as it is paid, take 2.", ""]
    assert told_apart(["Warrior"] * 3, abilities) == [
        "Warrior: on your turn", "Warrior: as soon as it is paid", "Warrior: no ability"]


def test_abilities_that_begin_alike_are_said_in_full():
    assert told_apart(["Warrior"] * 2, ["Action: gain 1.", "Action: gain 2."]) == [
        "Warrior: Action: gain 1.", "Warrior: Action: gain 2."]


def test_true_copies_are_numbered():
    assert told_apart(["Hut", "Hut", "Inn"], ["", "", ""]) == ["Hut, copy 1", "Hut, copy 2", "Inn"]
