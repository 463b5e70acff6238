"""Make the animation of the theatre that the README shows: python docs/pictures/animate.py

It steps through alpha-beta on the book's tree in a browser of its own, takes a picture of every step that is
worth one, lets the browser compress each, and puts them one after the other into one file (animated WebP).
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
PLACE = "/?view=theatre&game=figure-5.2&algorithm=alpha-beta-search"
SIZE = 1180, 720
PLAIN, WORTH_READING, LAST = 170, 1400, 3500  # milliseconds that a picture is shown
LARGEST = 600_000  # bytes
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
WIDTH, QUALITY = 860, 0.6  # of the pictures
COMPRESS = """async ([png, width, quality]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const height = Math.round((image.height * width) / image.width);
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d", { alpha: false });
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


def main() -> int:
    """Make it; 1 if it is too large for a README."""
    command = [sys.executable, "-m", "perfectplay", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own
        try:
            assert server.stdout is not None
            address = next(
                found[0] for line in server.stdout if (found := re.search(r"http://[\d.:]+", line))
            )
            browser = os.environ.get("PERFECTPLAY_BROWSER") or shutil.which("chromium")
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS)
                width, height = SIZE
                page = chromium.new_page(
                    viewport={"width": width, "height": height}, reduced_motion="reduce", color_scheme="light"
                )
                page.goto(address + PLACE)
                page.locator(".player[data-ready]").wait_for()
                frames = list(taken(page, chromium.new_page()))
        finally:
            server.terminate()
    path = HERE / "theatre.webp"
    path.write_bytes(animated(frames))
    print(f"{path.name}  {len(frames)} pictures, {path.stat().st_size:,} bytes")
    return 1 if path.stat().st_size > LARGEST else 0


def taken(page: Page, workshop: Page) -> Iterator[tuple[bytes, int]]:
    """The pictures of a run, each compressed, with how long it is to be seen.

    Steps that only move on are left out. Pictures are compressed on an empty page, since ours loads none
    that comes as data.
    """
    frame = page.locator(".player-frame")
    steps = int(page.locator(".player-counter").inner_text().split()[-1].replace(",", ""))
    for step in range(steps):
        kind = page.locator(".player-sentence").get_attribute("data-kind")
        last = step == steps - 1
        if kind in ("try", "return", "cut", "hit") or last or step == 0:
            png = b64encode(frame.screenshot()).decode()
            shown = LAST if last else WORTH_READING if kind == "cut" else 3 * PLAIN
            yield b64decode(workshop.evaluate(COMPRESS, [png, WIDTH, QUALITY])), shown
        page.keyboard.press("ArrowRight")


def animated(frames: list[tuple[bytes, int]]) -> bytes:
    """Still pictures as one that moves, in WebP's container: each in a chunk with its place and its time."""
    first = frames[0][0]
    width, height = size_of(first)
    parts = [chunk(b"VP8X", struct.pack("<I", 0b10) + three(width - 1) + three(height - 1))]
    parts.append(chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0)))
    for still, shown in frames:
        place = three(0) + three(0) + three(width - 1) + three(height - 1) + three(shown) + bytes([0b10])
        parts.append(chunk(b"ANMF", place + chunk(b"VP8 ", picture_of(still))))
    whole = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(whole)) + whole


def chunk(name: bytes, content: bytes) -> bytes:
    """A part of the file: its name, its length, and an even number of bytes."""
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def three(number: int) -> bytes:
    """A number in three bytes, as the container has them."""
    return number.to_bytes(3, "little")


def picture_of(still: bytes) -> bytes:
    """The compressed picture within a file that holds one."""
    at = 12
    while at < len(still):
        name, length = still[at : at + 4], struct.unpack("<I", still[at + 4 : at + 8])[0]
        if name == b"VP8 ":
            return still[at + 8 : at + 8 + length]
        at += 8 + length + length % 2
    raise LookupError("the browser compressed a picture in a way that is not known here.")


def size_of(still: bytes) -> tuple[int, int]:
    """Width and height, which stand behind the key of the picture."""
    width, height = struct.unpack("<HH", picture_of(still)[6:10])
    return width & 0x3FFF, height & 0x3FFF


if __name__ == "__main__":
    sys.exit(main())
