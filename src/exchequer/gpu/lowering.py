"""What Numba makes of arrays on a device, in fewer instructions; importing this is enough.

As on the CPU (`core.linking`), rules count from 0, so no index is asked whether it is below. And a
record is copied in words as wide as it is aligned: Numba takes it for a row of octets, which NVVM
copies one by one, each after the last; a state has 2,000.
"""

import importlib
from typing import Any

from llvmlite import ir
from numba.core import types as numba_types
from numba.cuda.target import CUDATargetContext

LOWERING = 1  # raised with every change: kernels made otherwise are other kernels

kinds: Any = numba_types
arrays: Any = importlib.import_module("numba.cuda.np.arrayobj")
Context: Any = CUDATargetContext
pack_value = Context.pack_value


def index_of_rules(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    return context.cast(builder, index, kind, kinds.intp if kind.signed else kinds.uintp)


def pack_in_words(context: Any, builder: Any, kind: Any, value: Any, place: Any,
                  align: Any = None) -> None:
    """Write a value to memory."""
    if not isinstance(kind, kinds.Record):
        pack_value(context, builder, kind, value, place, align)
        return
    wide = kind.dtype.alignment if kind.aligned else 1
    words = ir.ArrayType(ir.IntType(8 * wide), kind.size // wide).as_pointer()
    builder.store(builder.load(builder.bitcast(value, words)), builder.bitcast(place, words))


arrays.fix_integer_index = index_of_rules
Context.pack_value = pack_in_words
