"""A toy in which a test can plant what the lab should find."""

import types

from exchequer.core.game import Game
from toys.bazaar import GAME as BAZAAR
from toys.bazaar import rules


class Planted(Game):
    """Bazaar with some of its rules replaced."""

    def __init__(self, planted=None):
        super().__init__(**{name: getattr(BAZAAR, name) for name in BAZAAR.__dataclass_fields__})
        object.__setattr__(self, "planted", planted or {})

    @property
    def rules(self):
        return types.SimpleNamespace(**{**vars(rules), **self.planted})

    __hash__ = object.__hash__
