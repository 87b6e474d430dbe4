"""The icon of the extension: a die on a page of rules.  `python -m tools.dev.editors.icon` writes it as SVG, and as PNG made of that."""

from __future__ import annotations

import struct
import sys
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent / "vscode"
SIDE, FINE = 128, 3  # pixels of a side, and points of each that are looked at
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128">
  <rect x="0" y="0" width="128" height="128" rx="24" fill="#1f3d36"/>
  <rect x="20" y="26" width="40" height="6" rx="3" fill="#8fb8a8"/>
  <rect x="30" y="42" width="30" height="6" rx="3" fill="#8fb8a8"/>
  <rect x="30" y="58" width="20" height="6" rx="3" fill="#8fb8a8"/>
  <rect x="20" y="74" width="24" height="6" rx="3" fill="#8fb8a8"/>
  <rect x="52" y="52" width="58" height="58" rx="12" fill="#f4ead5"/>
  <circle cx="66" cy="66" r="6" fill="#b5482f"/>
  <circle cx="96" cy="66" r="6" fill="#b5482f"/>
  <circle cx="81" cy="81" r="6" fill="#b5482f"/>
  <circle cx="66" cy="96" r="6" fill="#b5482f"/>
  <circle cx="96" cy="96" r="6" fill="#b5482f"/>
</svg>
"""
Pixel = tuple[int, int, int, int]
Shape = tuple[float, float, float, float, float, Pixel]  # left, top, right, bottom, how round, colour


def shapes_of(svg: str) -> list[Shape]:
    """The shapes of a drawing, the last one on top; a circle is a square whose corners are as round as can be."""
    found: list[Shape] = []
    for shape in ET.fromstring(svg):
        number = {name: float(text) for name, text in shape.attrib.items() if name != "fill"}
        if (r := number.get("r")) is not None:
            left, top, wide, high = number["cx"] - r, number["cy"] - r, 2 * r, 2 * r
        else:
            left, top, wide, high, r = (number[name] for name in ("x", "y", "width", "height", "rx"))
        red, green, blue = bytes.fromhex(shape.attrib["fill"].removeprefix("#"))
        found.append((left, top, left + wide, top + high, r, (red, green, blue, 255)))
    return found[::-1]


def colour_at(x: float, y: float, shapes: list[Shape]) -> Pixel:
    """The colour of a point: that of the first shape on it."""
    for left, top, right, bottom, r, colour in shapes:
        if left <= x <= right and top <= y <= bottom:
            dx, dy = max(left + r - x, x - right + r, 0.0), max(top + r - y, y - bottom + r, 0.0)
            if dx * dx + dy * dy <= r * r:
                return colour
    return 0, 0, 0, 0


def pixels(svg: str) -> Iterator[Pixel]:
    """The pixels of a drawing, row by row; each is the mean of some points in it."""
    shapes = shapes_of(svg)
    for row in range(SIDE):
        for column in range(SIDE):
            points = [
                colour_at(column + (i + 0.5) / FINE, row + (j + 0.5) / FINE, shapes)
                for i in range(FINE)
                for j in range(FINE)
            ]
            solid = [point for point in points if point[3]] or [(0, 0, 0, 0)]
            red, green, blue = (round(sum(point[n] for point in solid) / len(solid)) for n in range(3))
            yield red, green, blue, round(sum(point[3] for point in points) / len(points))


def png(svg: str) -> bytes:
    """A drawing as PNG."""
    flat = [bytes(pixel) for pixel in pixels(svg)]
    rows = b"".join(b"\0" + b"".join(flat[row * SIDE : (row + 1) * SIDE]) for row in range(SIDE))
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(name, data) for name, data in ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    )


def chunk(name: bytes, data: bytes) -> bytes:
    """A part of a PNG."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def main() -> int:
    """Write both files."""
    (FOLDER / "icon.svg").write_text(SVG, encoding="utf-8", newline="\n")
    (FOLDER / "icon.png").write_bytes(png(SVG))
    return 0


if __name__ == "__main__":
    sys.exit(main())
