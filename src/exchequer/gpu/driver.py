"""The CUDA driver, through its own C interface: a device, its memory, modules and launches.

Nothing but the driver is needed where kernels run: neither a compiler nor an array library. Every
call is checked; what is missing is said in a sentence.
"""

import contextlib
import ctypes
import functools
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from exchequer.core.errors import InputError

LIBRARIES = ("libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "nvcuda.dll")

# Numbers of the driver's interface
MULTIPROCESSORS, MAJOR, MINOR = 16, 75, 76
MAX_REGISTERS, ERROR_LOG, ERROR_LOG_SIZE = 0, 5, 6
SHARED_BYTES, LOCAL_BYTES, REGISTERS, CARVE_OUT = 1, 3, 4, 9
MUCH_SHARED = 32768
SHARED_KILOBYTES = 227  # of a multiprocessor, at most
PREFER_L1 = 2
LOG_SIZE = 8192
SLEEPS = 4  # a thread that waits for the device leaves its core to others
WAITS_FOR_NOBODY = 1  # a stream beside the default one


class NoDevice(InputError):
    """There is no GPU to run on."""


@functools.cache
def library() -> Any:
    for name in LIBRARIES:
        with contextlib.suppress(OSError):
            return ctypes.CDLL(name)
    raise NoDevice("There is no GPU here: the NVIDIA driver (libcuda) is not installed.")


def call(name: str, *arguments: Any) -> None:
    """Call a driver function; anything but success is an error with the driver's own words."""
    status = getattr(library(), name)(*arguments)
    if status:
        text = ctypes.c_char_p()
        library().cuGetErrorString(status, ctypes.byref(text))
        why = (text.value or b"unknown error").decode()
        raise NoDevice(f"The GPU cannot be used: {why} ({name}, error {status}).")


class Device:
    """The first GPU of this machine."""

    def __init__(self) -> None:
        call("cuInit", 0)
        number, context = ctypes.c_int(), ctypes.c_void_p()
        call("cuDeviceGet", ctypes.byref(number), 0)
        with contextlib.suppress(NoDevice):  # somebody else's context stays as it is
            call("cuDevicePrimaryCtxSetFlags_v2", number, SLEEPS)
        call("cuDevicePrimaryCtxRetain", ctypes.byref(context), number)
        self.number, self._context = number, context
        self.enter()
        self.multiprocessors = self._attribute(MULTIPROCESSORS)
        self.capability = self._attribute(MAJOR), self._attribute(MINOR)
        name = ctypes.create_string_buffer(256)
        call("cuDeviceGetName", name, 256, number)
        self.name = name.value.decode()

    def enter(self) -> None:
        """A context belongs to the thread that works with it."""
        call("cuCtxSetCurrent", self._context)

    def _attribute(self, which: int) -> int:
        found = ctypes.c_int()
        call("cuDeviceGetAttribute", ctypes.byref(found), which, self.number)
        return found.value

    def free_bytes(self) -> int:
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def wait(self) -> None:
        """For all that this thread has started."""
        call("cuStreamSynchronize", stream_now())


@functools.cache
def device() -> Device:
    return Device()


_thread = threading.local()


def stream_now() -> Any:
    """Where this thread's work for the device queues up; the device's default stream by default."""
    return ctypes.c_void_p(getattr(_thread, "stream", 0))


@contextlib.contextmanager
def own_stream() -> Iterator[None]:
    """What this thread starts runs beside what others have started."""
    device().enter()  # without a context there is no stream, and a new thread has none
    made = ctypes.c_void_p()
    call("cuStreamCreate", ctypes.byref(made), WAITS_FOR_NOBODY)
    _thread.stream = made.value
    try:
        yield
    finally:
        _thread.stream = 0
        call("cuStreamDestroy_v2", made)


class Buffer:
    """An array in the device's memory, made, copied and given back in the order of a stream."""

    def __init__(self, shape: Sequence[int], dtype: Any) -> None:
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.nbytes = self.dtype.itemsize * int(np.prod(self.shape))
        self.address = ctypes.c_uint64()
        size = ctypes.c_size_t(max(self.nbytes, 1))
        call("cuMemAllocAsync", ctypes.byref(self.address), size, stream_now())
        call("cuMemsetD8Async", self.address, ctypes.c_ubyte(0), size, stream_now())

    @classmethod
    def of(cls, array: np.ndarray) -> "Buffer":
        array = np.ascontiguousarray(array)
        made = cls(array.shape, array.dtype)
        call("cuMemcpyHtoDAsync_v2", made.address, ctypes.c_void_p(array.ctypes.data),
             ctypes.c_size_t(array.nbytes), stream_now())
        device().wait()
        return made

    def view(self, dtype: Any) -> "Buffer":
        """The same memory as other numbers, as NumPy's `view`."""
        other = object.__new__(Buffer)
        other.dtype, other.nbytes, other.address = np.dtype(dtype), self.nbytes, self.address
        wide = self.shape[-1] * self.dtype.itemsize
        other.shape = (*self.shape[:-1], wide // other.dtype.itemsize)
        return other

    def get(self) -> np.ndarray:
        """A copy in this machine's memory."""
        array = np.zeros(self.shape, self.dtype)
        call("cuMemcpyDtoHAsync_v2", ctypes.c_void_p(array.ctypes.data), self.address,
             ctypes.c_size_t(array.nbytes), stream_now())
        device().wait()
        return array

    def free(self) -> None:
        call("cuMemFreeAsync", self.address, stream_now())

    def as_argument(self) -> list[int]:
        return array_argument(self.address.value, self.shape, self.dtype.itemsize)


class Lent:
    """An array in memory of the device that belongs to somebody else, such as a tensor."""

    def __init__(self, address: int, shape: Sequence[int], dtype: Any) -> None:
        self.address, self.shape, self.dtype = address, tuple(shape), np.dtype(dtype)

    def as_argument(self) -> list[int]:
        return array_argument(self.address, self.shape, self.dtype.itemsize)


def array_argument(address: int, shape: Sequence[int], size: int) -> list[int]:
    """How Numba hands over an array: two unused pointers, counts, address, shape, strides."""
    strides = np.cumprod([size, *shape[:0:-1]])[::-1]
    return [0, 0, int(np.prod(shape)), size, address, *shape, *map(int, strides)]


def flattened(argument: Any) -> list[int]:
    """What a kernel is handed, one number after the other."""
    if isinstance(argument, tuple):
        return [number for part in argument for number in flattened(part)]
    return argument.as_argument() if isinstance(argument, Buffer | Lent) else [argument]


@contextlib.contextmanager
def buffers(made: Sequence[Buffer]) -> Iterator[None]:
    """Device memory is given back whatever happens."""
    try:
        yield
    finally:
        for buffer in made:
            buffer.free()


class Kernel:
    """A function that runs on the device, from PTX or from machine code."""

    def __init__(self, image: bytes, name: str, registers: int = 0) -> None:
        self._module, self._function = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(LOG_SIZE)
        options = {ERROR_LOG: ctypes.cast(log, ctypes.c_void_p),
                   ERROR_LOG_SIZE: ctypes.c_void_p(LOG_SIZE)}
        if registers:
            options[MAX_REGISTERS] = ctypes.c_void_p(registers)
        names = (ctypes.c_int * len(options))(*options)
        values = (ctypes.c_void_p * len(options))(*(v.value for v in options.values()))
        try:
            call("cuModuleLoadDataEx", ctypes.byref(self._module), image + b"\0", len(options),
                 names, values)
        except NoDevice as error:
            raise NoDevice(f"{error} {log.value.decode(errors='replace')}".strip()) from None
        call("cuModuleGetFunction", ctypes.byref(self._function), self._module, name.encode())
        self._divide_cache()

    def _divide_cache(self) -> None:
        """Memory that a kernel does not share among the threads of a block caches the rest."""
        shared = self.attribute(SHARED_BYTES)
        if shared > MUCH_SHARED:
            call("cuFuncSetAttribute", self._function, CARVE_OUT, 100)
        elif not shared:
            call("cuFuncSetCacheConfig", self._function, PREFER_L1)

    def leave_room(self, blocks: int) -> None:
        """For so many blocks on a multiprocessor: each takes a kilobyte of shared memory for
        itself, also where its kernel asks for none."""
        percent = -(-100 * blocks // SHARED_KILOBYTES)
        call("cuFuncSetAttribute", self._function, CARVE_OUT, percent)

    def attribute(self, which: int) -> int:
        found = ctypes.c_int()
        call("cuFuncGetAttribute", ctypes.byref(found), which, self._function)
        return found.value

    def blocks_at_once(self, threads: int) -> int:
        """How many blocks of so many threads one multiprocessor can hold."""
        found = ctypes.c_int()
        call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(found), self._function,
             threads, ctypes.c_size_t(0))
        return found.value

    def launch(self, blocks: int, threads: int, *arguments: Any, stream: int | None = None) -> None:
        """Start it; all arguments are arrays, tuples of them or whole numbers of 64 bits.

        What is started in one stream runs in the order of starting; without one it is this
        thread's.
        """
        numbers = flattened(arguments)
        values = (ctypes.c_int64 * len(numbers))(*numbers)
        pointers = (ctypes.c_void_p * len(numbers))(
            *(ctypes.addressof(values) + 8 * i for i in range(len(numbers))))
        call("cuLaunchKernel", self._function, blocks, 1, 1, threads, 1, 1, 0,
             stream_now() if stream is None else ctypes.c_void_p(stream), pointers, None)
