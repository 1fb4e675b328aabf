"""What a format has no place for is named, never dropped in silence.

What would change the ids or the text is refused instead. The record of a training and the counts of
its merges say nothing about what a tokenizer does; only `.kugiri.json` keeps them.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from kugiri.errors import KugiriWarning


def warn_not_kept(what: str, losses: Sequence[str]) -> None:
    """Warn that a file of the kind `what` does not keep the things named."""
    if losses:
        warnings.warn(
            f"{what} does not keep {'; '.join(losses)}; .kugiri.json keeps everything",
            KugiriWarning,
            stacklevel=3,
        )
