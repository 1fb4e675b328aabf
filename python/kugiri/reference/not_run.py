"""The one error for what a spec describes and this engine does not run.

Rule.    A component is run exactly or refused by name; it is never run as something else.
Cost.    One error class.
Source.  `spec.py` describes all components of the formats it reads, more than the engines run.
"""

from __future__ import annotations

from kugiri.errors import OptionError


def not_run(stage: str, component: object) -> OptionError:
    """Return the error that names a component: a part of a spec, or the words that describe one.

    Example:
        >>> from kugiri.spec import Precompiled
        >>> print(not_run("normalizer", Precompiled(b"")))
        the normalizer Precompiled is described but not run by this version of kugiri; use a \
tokenizer without it, or a newer kugiri
    """
    name = component if isinstance(component, str) else type(component).__name__
    return OptionError(
        f"the {stage} {name} is described but not run by this version of kugiri; "
        "use a tokenizer without it, or a newer kugiri"
    )
