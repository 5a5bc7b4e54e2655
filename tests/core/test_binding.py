"""Binding: what a function reaches, what names it, and what stands in the place of its globals."""

import pytest

from exchequer.core.binding import Binding, Placeholder
from exchequer.core.contract import actor
from exchequer.core.records import rule

STEP = 3


@rule
def stride(s):
    """How far one goes."""
    return STEP * 2


@rule
def walk(s):
    return stride(s) + 1


def key(function=walk, *more):
    return Binding({}).fingerprint([function], *more)


def edited(function, source_change, **scope):
    """The function as it would be after an edit of its source."""
    import inspect
    import types

    source = inspect.getsource(function)
    changed = source.replace(*source_change)
    assert changed != source
    names = {"rule": rule, **function.__globals__, **scope}
    exec(compile(changed, function.__code__.co_filename, "exec"), names)
    result = names[function.__name__]
    assert isinstance(result, types.FunctionType)
    result.__module__ = function.__module__
    return result


def test_an_edit_of_the_code_changes_the_key():
    assert key(edited(walk, ("+ 1", "+ 2"))) != key()


def test_an_edit_of_a_called_rule_changes_the_key(monkeypatch):
    before = key()
    monkeypatch.setitem(globals(), "stride", edited(stride, ("* 2", "* 5")))
    assert key() != before


def test_an_edit_of_a_constant_changes_the_key(monkeypatch):
    before = key()
    monkeypatch.setitem(globals(), "STEP", 4)
    assert key() != before


def test_a_comment_or_docstring_does_not():
    assert key(edited(stride, ("How far one goes.", "The length of a step."))) == key(stride)


def test_mode_layout_and_numba_version_change_the_key(monkeypatch):
    import numba

    assert key(walk, "compiled") != key(walk, "checked")
    before = key()
    monkeypatch.setattr(numba, "__version__", "0.0")
    assert key() != before


def test_an_attribute_of_the_same_name_is_no_call():
    @rule
    def lonely(s):
        return s.stride

    assert Binding({}).reach(lonely) == {lonely: []}


def test_recursion_is_refused():
    with pytest.raises(TypeError, match="may not call themselves: turns -> turns"):
        Binding({}).reach(turns)


@rule
def turns(s):
    return turns(s)


def unmarked(s):
    return 1


@rule
def careless(s):
    return unmarked(s)


def test_only_rules_are_called():
    with pytest.raises(TypeError, match=r"unmarked is called by a rule \(careless\)"):
        Binding({}).reach(careless)


SECRET = {"a": 1}


@rule
def with_dictionary(s):
    return SECRET


def test_other_globals_are_refused():
    with pytest.raises(TypeError, match="only rules, enums, numbers"):
        key(with_dictionary)


# In the place of others --------------------------------------------------------------------------

LENGTH = Placeholder("how long a step is")


@rule
def amble(s):
    return LENGTH + stride(s) + stride(s)


@rule
def leap(s):
    return 50


def plain(binding):
    """Functions bound as they are, one in the other."""
    def bound(value):
        return binding.copy(value, bound) if callable(value) else value
    return bound


def test_rules_and_placeholders_are_replaced_where_they_are_called():
    binding = Binding({}, {LENGTH: 1, stride: leap})
    assert plain(binding)(amble)(None) == 101
    assert plain(binding)(walk)(None) == 51
    assert walk(None) == 7


def test_a_game_has_its_rules_in_the_place_of_the_contract():
    @rule
    def whose_turn(s):
        return actor(s)

    @rule
    def always_two(s):
        return 2

    assert plain(Binding({"actor": always_two}))(whose_turn)(None) == 2
    assert plain(Binding({"actor": always_two}, {actor: leap}))(whose_turn)(None) == 50


def test_calls_are_counted_and_the_called_come_first():
    assert list(Binding({}).reach(walk)) == [stride, walk]
    assert Binding({}).reach(amble)[amble] == [stride, stride]
    assert Binding({}, {stride: leap}).reach(amble) == {leap: [], amble: [leap, leap]}


def test_what_stands_in_the_place_of_others_changes_the_key():
    keys = {Binding({}, instead).fingerprint([amble]) for instead in (
        {LENGTH: 1}, {LENGTH: 2}, {LENGTH: 1, stride: leap},
        {LENGTH: 1, stride: edited(leap, ("50", "60"))})}
    assert len(keys) == 4


def test_a_placeholder_must_be_filled():
    with pytest.raises(TypeError, match="a placeholder for how long a step is"):
        key(amble)


def test_only_what_reaches_a_replaced_rule_changes():
    binding = Binding({}, {stride: leap})
    assert binding.changes(walk)
    assert not binding.changes(stride) and not binding.changes(leap)
