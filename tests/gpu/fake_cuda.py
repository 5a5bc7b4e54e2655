"""What kernels use of `numba.cuda`, with Python's threads for the threads of one block."""

import threading
import types

import numpy as np

from exchequer.core.binding import is_function


class Block:
    """Runs a kernel as one block; threads wait for each other where the kernel says so."""

    def __init__(self, threads):
        self.threads = threads
        self._own = threading.local()
        self._lock, self._meeting = threading.Lock(), threading.Barrier(threads)
        self._shared, self._votes = {}, [0] * threads
        self.blockDim, self.blockIdx = types.SimpleNamespace(x=threads), types.SimpleNamespace(x=0)
        self.atomic = types.SimpleNamespace(add=self._add)
        self.shared = types.SimpleNamespace(array=self._shared_array)
        self.local = types.SimpleNamespace(array=np.zeros)

    @property
    def threadIdx(self):  # noqa: N802
        return types.SimpleNamespace(x=self._own.number)

    def grid(self, _):
        return self._own.number

    def _add(self, array, place, amount):
        with self._lock:
            before = array[place]
            array[place] += amount
        return before

    def _shared_array(self, size, kind):
        """All threads ask for the same arrays in the same order."""
        self._own.asked += 1
        with self._lock:
            return self._shared.setdefault(self._own.asked, np.zeros(size, kind))

    def syncthreads(self):
        self._meeting.wait(60)

    syncwarp = syncthreads  # where all warps of a block do so equally often

    def syncthreads_or(self, vote):
        self._votes[self._own.number] = vote
        self.syncthreads()
        found = any(self._votes)
        self.syncthreads()
        return found

    def run(self, kernel, *arguments):
        failed = []

        def work(number):
            self._own.number, self._own.asked = number, 0
            try:
                with np.errstate(over="ignore"):  # the digest
                    kernel(*arguments)
            except BaseException as error:
                failed.append(error)
                self._meeting.abort()

        running = [threading.Thread(target=work, args=(n,)) for n in range(self.threads)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        if failed:
            raise failed[0]


def as_python(binding, kernel):
    """A kernel bound to a game, with all rules that it calls, as plain functions."""
    copies = {}

    def bound(value):
        if not is_function(value):
            return value
        if value not in copies:
            copies[value] = binding.copy(value, bound)
        return copies[value]

    return bound(kernel)
