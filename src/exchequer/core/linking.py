"""How rules become machine code: each is lowered once, and optimised once with all that it needs.

Numba by itself makes every function ready to run: whatever it calls, directly or not, is linked in,
optimised and translated again for each function on the way up, and again for each loop. Here a rule
is a `Part`, which is only lowered. An `Entry`, which Python or other entries call, takes all its
parts together, is optimised as a whole and translated once. What it calls of other entries stays a
name; whoever loads it from disk loads those first (`core.machine_code`).
"""

import hashlib
from collections.abc import Iterator
from typing import Any

from llvmlite import binding as llvm
from numba.core import compiler, ir, itanium_mangler, typed_passes
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.types import intp, uintp
from numba.np import arrayobj


class NoEnvironment:
    """Stands for the code generator where a function has no place in memory."""

    def set_env(self, name: str, environment: Any) -> None:
        """Rules raise nothing that would look for one."""


class Part(JITCodeLibrary):
    """The code of one rule, on its own, and of which others it needs."""

    codegen = NoEnvironment()

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


class Entry(JITCodeLibrary):
    """All code of a function that can be called by others."""

    known_as: tuple[str, Any]  # its symbol, and the types of its arguments
    needs: list[Any]  # the entries that it calls

    def finalize(self) -> None:
        found = list(reached(self))
        self.needs = [library for library in found if is_entry(library)]
        self._linking_libraries = [library for library in found if not is_entry(library)]
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Parts belong to this entry alone: their namesakes in others are no concern of LLVM."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()

    def serialize_using_object_code(self) -> Any:
        """Without the code for others to link, which is most of what a start would have to read."""
        self._ensure_finalized()
        empty = llvm.parse_assembly(str(self._codegen._create_empty_module(self.name)))
        return self.name, "object", (self._get_compiled_object(), empty.as_bitcode())


def is_entry(library: CPUCodeLibrary) -> bool:
    """Also one that was loaded from disk."""
    return hasattr(library, "known_as")


def exported_by(library: CPUCodeLibrary) -> set[str]:
    """The functions of a library that others can call."""
    return {function.name for function in library._final_module.functions
            if not function.is_declaration and function.linkage == llvm.Linkage.external}


def reached(library: CPUCodeLibrary) -> Iterator[CPUCodeLibrary]:
    """All that is needed by a library and by its parts."""
    seen, waiting = set(), [library]
    while waiting:
        for other in waiting.pop()._linking_libraries:
            if other not in seen:
                seen.add(other)
                yield other
                if isinstance(other, Part):
                    waiting.append(other)


def short_name(name: str, argtypes: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
    """What a function is called in machine code. Numba would add the types of all arguments, some
    by numbers that differ in each process, so that none could call what another has compiled."""
    return itanium_mangler.mangle(name, (), uid=uid)


wrapped_index = arrayobj.fix_integer_index


def index_of_rules(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Rules count from 0. Numba asks at every index whether it is below, and means the end then; so
    no loop over a row is a single instruction. In a checked build such an index is out of bounds.
    """
    if context.mangler is not short_name:
        return wrapped_index(context, builder, kind, index, size)
    return context.cast(builder, index, kind, intp if kind.signed else uintp)


arrayobj.fix_integer_index = index_of_rules


def makes_arrays(state: Any) -> bool:
    """Whether a function makes an array that somebody has to free, or may: what it is given and
    views of it belong to others.
    """
    def is_counted(kind: Any) -> bool:
        return state.targetctx.data_model_manager.lookup(kind).contains_nrt_meminfo()

    def is_made(node: Any, signature: Any) -> bool:
        if isinstance(node, (ir.SetItem, ir.StaticSetItem)):
            return is_counted(signature.args[-1])
        is_view = isinstance(node, ir.Expr) and node.op in ("getitem", "static_getitem")
        if is_view and not any(map(is_counted, signature.args[1:])):
            return False
        return is_counted(signature.return_type)

    return is_counted(state.return_type) or any(
        is_made(node, signature) for node, signature in state.calltypes.items() if signature)


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(typed_passes.NativeLowering):
    _name = "part_lowering"
    library: type[JITCodeLibrary] = Part

    def run_pass(self, state: Any) -> bool:
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        # References are counted with atomic instructions, more than half of Kingdom's time.
        state.targetctx = state.targetctx.subtarget(mangler=short_name,
                                                    enable_nrt=makes_arrays(state))
        return super().run_pass(state)


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(PartLowering):
    _name = "entry_lowering"
    library = Entry

    def run_pass(self, state: Any) -> bool:
        symbol = state.func_id.func.symbol
        types = hashlib.sha256(repr(state.args).encode()).hexdigest()[:16]
        state.func_id.unique_id = f"{symbol}_{types}"
        super().run_pass(state)
        state.library.known_as = symbol, state.args
        return True


class PartCompiler(compiler.CompilerBase):
    lowering: Any = PartLowering

    def define_pipelines(self) -> list[PassManager]:
        usual = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = PassManager("rules")
        for kind, meaning in usual.passes:
            passes.add_pass(self.lowering if kind is typed_passes.NativeLowering else kind, meaning)
        passes.finalize()
        return [passes]


class EntryCompiler(PartCompiler):
    lowering = EntryLowering
