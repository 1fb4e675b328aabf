"""The byte alphabet of GPT-2: each of the 256 bytes shown as one visible character.

Rule.    A byte whose Latin-1 character is visible (! to ~, ¡ to ¬, ® to ÿ) is shown as that
         character; the other 68, ascending, as U+0100 and onwards. A space becomes Ġ.
Cost.    Two tables of 256 entries.
Source.  The encoder of GPT-2 (Radford et al. 2019); every byte-level tokenizer.json is written so.
"""

from __future__ import annotations

from kugiri.reference.alignment import Aligned, Place

_VISIBLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_HIDDEN = [byte for byte in range(256) if byte not in _VISIBLE]

CHARACTER_OF: dict[int, str] = {byte: chr(byte) for byte in _VISIBLE} | {
    byte: chr(0x100 + n) for n, byte in enumerate(_HIDDEN)
}
BYTE_OF: dict[str, int] = {character: byte for byte, character in CHARACTER_OF.items()}


def visible(data: bytes) -> str:
    """Bytes, each shown as its character.

    Example:
        >>> visible("é b".encode())
        'Ã©Ġb'
    """
    return "".join(map(CHARACTER_OF.__getitem__, data))


ORDERS: dict[str, list[int]] = {
    # Bytes by their value: the id of a byte is the byte.
    "value": list(range(256)),
    # Bytes by the code point of their visible character, as the trainer of tokenizers does.
    "gpt2": _VISIBLE + _HIDDEN,
}
"""The orders in which a trainer may number the bytes."""


def show_bytes(text: Aligned) -> Aligned:
    """A text with each byte as its visible character, which stands for that byte.

    Example:
        >>> show_bytes(Aligned.of("é "))
        Aligned(text='Ã©Ġ', spans=((0, 1), (1, 2), (2, 3)), end=3)
    """
    named = (place.named for place in text.places for _ in place.character.encode())
    return text.rewritten(
        Place(visible(bytes([byte])), own, its)
        for (byte, own), its in zip(text.utf8(), named, strict=True)
    )
