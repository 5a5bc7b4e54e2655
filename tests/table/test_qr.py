"""QR codes: read back by the standard's own steps, error correction included."""

import pytest

from exchequer.table import qr


def read(grid):
    """What a scanner does once it has the modules: format, mask, zigzag, blocks, text."""
    size = len(grid)
    version = (size - 17) // 4
    word = sum(grid[row][8] << number for number, row in enumerate((0, 1, 2, 3, 4, 5, 7, 8)))
    word |= sum(grid[8][column] << number for number, column in enumerate((7, 5, 4, 3, 2, 1, 0), 8))
    level, mask = (word ^ 0x5412) >> 13, (word ^ 0x5412) >> 10 & 7
    assert level == qr.LEVEL_L
    fixed = dict(qr.function_modules(version, mask))
    bits = [grid[row][column] != qr.MASKS[mask](row, column)
            for row, column in qr.zigzag(size) if (row, column) not in fixed]
    data = bytes(sum(bit << 7 - place for place, bit in enumerate(bits[at:at + 8]))
                 for at in range(0, len(bits) // 8 * 8, 8))
    return version, data


def syndromes(block, count):
    """All zero where nothing was misread."""
    found, root = [], 1
    for _ in range(count):
        value = 0
        for byte in block:
            value = qr.product(value, root) ^ byte
        found.append(value)
        root = qr.product(root, 2)
    return found


@pytest.mark.parametrize("length", [1, 17, 18, 32, 53, 78, 106, 107, 134])
def test_a_code_reads_back(length):
    text = ("http://192.168.17.23:8018/dev/seat/0?key=" * 4)[:length]
    version, data = read(qr.qr_code(text))
    count = 2 if version == 6 else 1
    room, check = qr.DATA[version - 1], qr.CHECK[version - 1]
    blocks = [data[:room][block::count] + data[room:room + check][block::count]
              for block in range(count)]
    assert not any(value for block in blocks for value in syndromes(block, check // count))
    joined = b"".join(block[:room // count] for block in blocks)
    assert joined[0] >> 4 == 0b0100
    size = (joined[0] & 15) << 4 | joined[1] >> 4
    body = bytes((joined[at] & 15) << 4 | joined[at + 1] >> 4 for at in range(1, size + 1))
    assert body.decode() == text


def test_the_worked_example_of_the_standards_error_correction():
    """The check bytes of version 1-M for the numbers 01234567, from ISO/IEC 18004, annex I."""
    data = bytes([0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC,
                  0x11, 0xEC, 0x11])
    assert qr.remainder(data, 10) == bytes([0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C,
                                            0x55])


def test_format_words_are_those_of_the_standard():
    """Level L with mask 4 is 110011000101111 (table C.1)."""
    found = dict(qr.format_modules(21, 4))
    near = [(row, 8) for row in (0, 1, 2, 3, 4, 5, 7, 8)] + \
        [(8, column) for column in (7, 5, 4, 3, 2, 1, 0)]
    assert "".join(str(int(found[place])) for place in reversed(near)) == "110011000101111"


def test_a_text_that_is_too_long_is_a_sentence():
    with pytest.raises(ValueError, match="135 bytes are too many"):
        qr.qr_code("x" * 135)
