"""How bots deal: by their own books, so that they can be talked to but not milked."""

import pytest

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.games.greement import GAME
from exchequer.games.greement.state import Ask, Happening
from games.greement.estate import ANN, BEN, Estate


def answer(estate):
    bot = Bot(GAME, "greedy", 3, Mode.PYTHON)
    seen = estate.position.observe(estate.actor)
    return GAME.words.TEXTS.text(bot.choose(seen, estate.content, estate.actor))


def neighbours():
    """Ann and Ben live side by side, so that no deal is taxed; both have a crop and some cash."""
    estate = Estate(mines="a2 b1").own(ANN, "a1", "crop").own(BEN, "b2", "crop")
    return estate.own(ANN, "a2").own(BEN, "b1").purse(ANN, 200).purse(BEN, 200)


@pytest.mark.parametrize("price, wanted", [("1c", "accept"), ("5c", "accept"), ("150c", "decline")])
def test_a_mine_is_bought_for_what_it_brings_and_no_more(price, wanted):
    """A mine is worth 5 and brings 4 a turn."""
    estate = neighbours().do("offer", "square:a2", price)
    assert (estate.asked, estate.actor) == (Ask.ANSWER, BEN)
    assert answer(estate) == wanted


@pytest.mark.parametrize("price, wanted", [("0c", "decline"), ("2c", "decline"),
                                           ("150c", "accept")])
def test_a_mine_is_sold_only_for_more_than_it_brings(price, wanted):
    estate = neighbours().do("offer", "square:b1", price)
    assert answer(estate) == wanted


def test_asking_again_does_not_help():
    estate = neighbours()
    for _ in range(3):
        estate.do("offer", "square:b1", "2c")
        assert answer(estate) == "decline"
        estate.do("decline")


def test_the_price_does_not_depend_on_the_others_purse():
    """What Ann has is her secret: Ben answers the same whether she is rich or in debt."""
    answers = {answer(neighbours().purse(ANN, cash, debt).do("offer", "square:a2", "5c"))
               for cash, debt in ((200, 0), (10, 90), (5000, 0))}
    assert answers == {"accept"}


@pytest.mark.parametrize("crops_of, wanted", [(ANN, "vote:let"), (BEN, "vote:against")])
def test_votes_follow_the_own_estate(crops_of, wanted):
    """Blight turns crops brown: whoever has none lets it happen to the other."""
    estate = Estate(vote_mode="open_sequential", bribe_laps=0).own(crops_of, "a1 a2 a3", "crop")
    estate.own(1 - crops_of, "j10")
    estate.purse(ANN, 50).purse(BEN, 50).events(Happening.BLIGHT)
    estate.do("vote:against")                               # Ann, openly
    assert estate.actor == BEN
    assert answer(estate) == wanted
