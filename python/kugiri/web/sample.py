"""Small tokenizers of the bundled text, so that the page has something to show from the start.

Rule.    One of each kind, of the same size. The BPE has a chat template, so that there is a chat to
         be seen, in the manner of ChatML.
Cost.    Three trainings: a third of a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from msgspec.structs import replace

import kugiri
from kugiri.spec import ChatTemplates
from kugiri.web.store import Given

SIZE: Final = 2_400

_BEGIN, _END = "<|im_start|>", "<|im_end|>"
_CHAT = (
    f"{{% for message in messages %}}{_BEGIN}{{{{ message.role }}}}\n"
    f"{{{{ message.content }}}}{_END}\n"
    f"{{% endfor %}}{{% if add_generation_prompt %}}{_BEGIN}assistant\n{{% endif %}}"
)


def samples() -> Iterator[Given]:
    """The tokenizers with their names."""
    folder = files("kugiri").joinpath("sample")
    texts = sorted(file.name for file in folder.iterdir() if file.name.endswith(".txt"))
    lines = [
        line for name in texts for line in folder.joinpath(name).read_text("utf-8").splitlines()
    ]
    bpe = kugiri.train(lines, vocab_size=SIZE, special_tokens=[_BEGIN, _END])
    chat = ChatTemplates({"default": _CHAT}, {"eos_token": _END})
    yield "sample BPE", kugiri.Tokenizer(replace(bpe.spec, chat=chat)), "sample"
    unigram = kugiri.train(lines, model="unigram", vocab_size=SIZE, character_coverage=1.0)
    yield "sample Unigram", unigram, "sample"
    yield "sample WordPiece", kugiri.train(lines, model="wordpiece", vocab_size=SIZE), "sample"
