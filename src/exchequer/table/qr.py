"""QR codes for the link to a phone: bytes, error correction L, versions 1 to 6 (134 characters).

The standard is ISO/IEC 18004. A code is a grid of booleans, dark ones are True; `svg` draws it.
"""

from collections.abc import Iterator

Grid = list[list[bool]]
DATA = (19, 34, 55, 80, 108, 136)  # bytes of data in versions 1 to 6
CHECK = (7, 10, 15, 20, 26, 36)  # bytes of error correction; version 6 has them in two blocks
LEVEL_L = 0b01
MASKS = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)


def qr_code(text: str) -> Grid:
    """The smallest code that holds the text, under the mask that is read best."""
    data = text.encode()
    version = next((number for number, room in enumerate(DATA, 1) if len(data) + 2 <= room), 0)
    if not version:
        raise ValueError(f"{len(data)} bytes are too many for a QR code of ours; {DATA[-1] - 2} "
                         "are the most.")
    bits = [byte >> place & 1 == 1 for byte in codewords(data, version)
            for place in range(7, -1, -1)]
    return min((drawn(bits, version, mask) for mask in range(len(MASKS))), key=penalty)


def svg(grid: Grid) -> str:
    """A drawing with the quiet zone of four modules around it; dark on light in either theme."""
    size = len(grid) + 8
    path = "".join(f"M{x + 4} {y + 4}h1v1h-1z" for y, row in enumerate(grid)
                   for x, dark in enumerate(row) if dark)
    return (f'<svg class="qr" viewBox="0 0 {size} {size}" role="img" aria-label="QR code" '
            f'shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{size}v{size}H0z"/>'
            f'<path fill="#000" d="{path}"/></svg>')


# Bytes -------------------------------------------------------------------------------------------

def codewords(data: bytes, version: int) -> bytes:
    """Header, data, padding, and the error correction of each block, interleaved."""
    room, check = DATA[version - 1], CHECK[version - 1]
    nibbles = f"{0b0100:04b}{len(data):08b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    padded = bytes(int(nibbles[place:place + 8], 2) for place in range(0, len(nibbles), 8))
    padded += bytes((0xEC, 0x11)[place % 2] for place in range(room - len(padded)))
    count = 2 if version == 6 else 1
    size = room // count
    blocks = [padded[place:place + size] for place in range(0, room, size)]
    checks = [remainder(block, check // count) for block in blocks]
    return bytes(byte for part in (blocks, checks) for column in zip(*part, strict=True)
                 for byte in column)


def product(a: int, b: int) -> int:
    """In the field of 256 elements with x^8 + x^4 + x^3 + x^2 + 1."""
    found = 0
    for place in range(7, -1, -1):
        found = found << 1 ^ (found >> 7) * 0x11D
        found ^= (b >> place & 1) * a
    return found


def remainder(data: bytes, degree: int) -> bytes:
    """The Reed-Solomon check bytes."""
    divisor, root = [0] * (degree - 1) + [1], 1
    for _ in range(degree):
        divisor = [product(value, root) ^ (divisor[place + 1] if place + 1 < degree else 0)
                   for place, value in enumerate(divisor)]
        root = product(root, 2)
    left = [0] * degree
    for byte in data:
        factor = byte ^ left.pop(0)
        left.append(0)
        left = [value ^ product(part, factor) for value, part in zip(left, divisor, strict=True)]
    return bytes(left)


# The grid ----------------------------------------------------------------------------------------

def drawn(bits: list[bool], version: int, mask: int) -> Grid:
    size = 17 + 4 * version
    fixed = dict(function_modules(version, mask))
    grid = [[fixed.get((row, column), False) for column in range(size)] for row in range(size)]
    free = [place for place in zigzag(size) if place not in fixed]
    for number, (row, column) in enumerate(free):
        bit = bits[number] if number < len(bits) else False
        grid[row][column] = bit != MASKS[mask](row, column)
    return grid


def zigzag(size: int) -> Iterator[tuple[int, int]]:
    """Two columns at a time from the right, up and down in turn, without the timing column."""
    rights = [*range(size - 1, 6, -2), *range(5, 0, -2)]
    for turn, right in enumerate(rights):
        rows = range(size) if turn % 2 else range(size - 1, -1, -1)
        for row in rows:
            yield row, right
            yield row, right - 1


def function_modules(version: int, mask: int) -> Iterator[tuple[tuple[int, int], bool]]:
    """What does not carry data: timing, finders, alignment, format, the dark module."""
    size = 17 + 4 * version
    for place in range(size):
        yield (6, place), place % 2 == 0
        yield (place, 6), place % 2 == 0
    if version > 1:
        yield from square(size - 7, size - 7, 2, (0, 2))
    for row, column in ((3, 3), (3, size - 4), (size - 4, 3)):
        yield from ((place, dark) for place, dark in square(row, column, 4, (0, 1, 3))
                    if 0 <= place[0] < size and 0 <= place[1] < size)
    yield from format_modules(size, mask)
    yield (size - 8, 8), True


def square(row: int, column: int, reach: int, dark: tuple[int, ...]
           ) -> Iterator[tuple[tuple[int, int], bool]]:
    """Rings around a centre; those in `dark` are dark."""
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            yield (row + down, column + right), max(abs(down), abs(right)) in dark


def format_modules(size: int, mask: int) -> Iterator[tuple[tuple[int, int], bool]]:
    """Level and mask with their own error correction, twice."""
    left = value = LEVEL_L << 3 | mask
    for _ in range(10):
        left = left << 1 ^ (left >> 9) * 0x537
    word = (value << 10 | left) ^ 0x5412
    near = [*((row, 8) for row in (0, 1, 2, 3, 4, 5, 7, 8)),
            *((8, column) for column in (7, 5, 4, 3, 2, 1, 0))]
    far = [*((8, size - 1 - place) for place in range(8)),
           *((size - 15 + place, 8) for place in range(8, 15))]
    for places in (near, far):
        for number, place in enumerate(places):
            yield place, word >> number & 1 == 1


def penalty(grid: Grid) -> int:
    """How hard a code is to read: long runs, blocks, and a share of dark far from a half."""
    size, cost = len(grid), 0
    for line in (*grid, *map(list, zip(*grid, strict=True))):
        text = "".join("#" if dark else "." for dark in line)
        runs = text.replace("#.", "# .").replace(".#", ". #").split()
        cost += sum(len(run) - 2 for run in runs if len(run) >= 5)
        cost += 40 * (text.count("#.###.#....") + text.count("....#.###.#"))
    cost += 3 * sum(grid[row][column] == grid[row][column + 1] == grid[row + 1][column]
                    == grid[row + 1][column + 1]
                    for row in range(size - 1) for column in range(size - 1))
    dark = sum(map(sum, grid))
    return cost + 10 * (abs(20 * dark - 10 * size * size) // (size * size))
