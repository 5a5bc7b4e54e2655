"""What a seat sees of Bazaar."""


def view(s, content, seat):
    return {"gold": s.gold.tolist(), "cards": s.card.tolist()}
