"""Bazaar with faults, to see that they are found."""

import types

from exchequer.core.game import Game
from toys.bazaar import GAME, rules


class Faulty(Game):
    """Bazaar with some of its functions replaced."""

    def __init__(self, fault_rules=None, fault_words=None, step_limit=GAME.step_limit,
                 modules=None, folder=None):
        super().__init__(**{**{name: getattr(GAME, name) for name in GAME.__dataclass_fields__},
                            "step_limit": step_limit})
        object.__setattr__(self, "fault_rules", fault_rules or {})
        object.__setattr__(self, "fault_words", fault_words or {})
        object.__setattr__(self, "modules", modules or {})
        object.__setattr__(self, "own_folder", folder or GAME.folder)

    @property
    def folder(self):
        return self.own_folder

    def has_module(self, name):
        if name == "words":
            return bool(self.fault_words)
        return name in self.modules or super().has_module(name)

    def module(self, name):
        if name == "words":
            return types.SimpleNamespace(**self.fault_words)
        return self.modules.get(name) or super().module(name)

    @property
    def rules(self):
        return types.SimpleNamespace(**{**vars(rules), **self.fault_rules})

    __hash__ = object.__hash__
