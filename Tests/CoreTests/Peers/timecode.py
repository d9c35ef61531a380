"""The time and number in hoot's test pattern (`Timecode.swift`), drawn into a picture and read from it.

Two rows of 16 fields below the middle of the luma: 4 bits of the number, 20 of the milliseconds, a CRC-8 over them.
"""

import numpy

PERIOD = 1 << 20
COLUMNS, ROWS = 16, 2


def draw(luma, number, milliseconds):
    payload = number << 20 | milliseconds % PERIOD
    bits = payload << 8 | _crc(payload)
    height, width = luma.shape
    for index in range(ROWS * COLUMNS):
        row, column = divmod(index, COLUMNS)
        top, bottom = (height * 19 // 30 + (row + more) * height // 12 for more in (0, 1))
        left, right = ((column + more) * width // COLUMNS for more in (0, 1))
        luma[top:bottom, left:right] = 235 if bits >> (31 - index) & 1 else 16


def read(luma):
    """The number and the milliseconds; `None`: there is no code."""
    means = numpy.array([_inner(luma, *divmod(index, COLUMNS)) for index in range(ROWS * COLUMNS)])
    if means.max() - means.min() < 40:
        return None
    bits = 0
    for mean in means:
        bits = bits << 1 | int(mean > (means.max() + means.min()) / 2)
    payload = bits >> 8
    return divmod(payload, PERIOD) if _crc(payload) == bits & 0xFF else None


def _inner(luma, row, column):
    """The mean of the inner half of a field, where its neighbours do not smear into it."""
    height, width = luma.shape
    top = height * 19 / 30 + (row + 0.25) * height / 12
    left = (column + 0.25) * width / COLUMNS
    return luma[int(top) + 1 : int(top + height / 24) + 1, int(left) + 1 : int(left + width / COLUMNS / 2) + 1].mean()


def _crc(payload):
    crc = 0xFF
    for shift in (16, 8, 0):
        crc ^= payload >> shift & 0xFF
        for _ in range(8):
            crc = (crc << 1 ^ 0x07 if crc & 0x80 else crc << 1) & 0xFF
    return crc
