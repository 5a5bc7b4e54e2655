"""How an agent is set to work: a few sentences for each of the things people ask it for."""

from exchequer.agents.reading import a_game


def play_a_game(game: str = "kingdom", opponent: str = "greedy") -> str:
    """Play a game against a bot or a friend."""
    found = a_game(game)
    return (f"Play a game of {found.title} against {opponent}. First read how it is played "
            f"(resource exchequer://learn/{found.name.replace('/', '-')}, tool read_rules). Open a "
            f'table with new_table(game="{found.name}", opponents=["{opponent}"]), and give me its '
            "link. Then, until the game is over: wait_for_turn, think about what you see, try "
            "doubtful moves with preview_move, and play_move with one sentence of reasoning in "
            "`why`. When a move is refused, read the paragraph that the sentence cites. At the end "
            "tell me who won and the moment that decided it.")


def playtest_variant(game: str = "kingdom", change: str = "turn_limit = 16") -> str:
    """Find out by experiment what a change of a game's numbers does."""
    found = a_game(game)
    return (f"I want to know what this change does to {found.title}: {change}. Look up the keys "
            f'with read_content(game="{found.name}"), make the change a variant with make_variant, '
            "and read which paragraphs it concerns with search_rules. Have it played with "
            "start_lab_run and compared with the game as it ships by compare_variants; "
            "wait_for_lab until both are finished. Open one or two replays of extreme games. "
            "Report what changed with its interval and number of games, what you cannot tell from "
            "these games, and whether you would keep the change. A difference whose interval "
            "holds 0 is no finding.")


def explain_why_i_lost(table: str) -> str:
    """Explain the outcome of a finished game."""
    return (f"I lost the game at the table {table}. Read what happened with read_log and the end "
            "with look. Find the two or three moments that decided it, say what I could have done "
            "instead and why it would have been better, and cite the paragraphs of the rulebook "
            "(search_rules) that matter. Be concrete and kind; say what I did well, too.")


PROMPTS = (play_a_game, playtest_variant, explain_why_i_lost)
