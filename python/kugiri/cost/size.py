"""What tokens take of a model: room in its context, arithmetic of attention, rows of its embedding.

Rule.    context share = (tokens + output tokens) / context window;
         characters that fit = ⌊(context window − output tokens) × characters / tokens⌋;
         attention = 4 × layers × dimension × tokens² operations: QKᵀ and the weighted sum of V are
         two products of 2 × tokens² × dimension each. Twice the tokens, four times the cost. The
         projections before and behind are not in it: they grow with tokens alone. A kernel that
         leaves out what the causal mask hides takes half.
         embedding = vocabulary size × dimension parameters, twice that where the output layer has
         a table of its own (untied).
Source.  Vaswani et al. 2017, "Attention Is All You Need", 3.2; Press and Wolf 2017, "Using the
         Output Embedding to Improve Language Models", for tied tables.
"""

from __future__ import annotations

from kugiri.inputs import as_flag, as_whole


def context_share(tokens: int, context_window: int, output_tokens: int = 0) -> float:
    """Which part of a context window a prompt and its answer take; above 1 they do not fit.

    Raises:
        OptionError: a number is no whole one from 0, or the window has no token.

    Example:
        >>> context_share(4_608, 128_000)
        0.036
    """
    used = as_whole("tokens", tokens) + as_whole("output_tokens", output_tokens)
    return used / as_whole("context_window", context_window, 1)


def characters_that_fit(
    characters: int, tokens: int, context_window: int, output_tokens: int = 0
) -> int | None:
    """How many characters of such a text a context window holds, beside the answer.

    Args:
        characters: of the text at hand.
        tokens: of the same.
        context_window: of the model, in tokens.
        output_tokens: what is kept free for the answer.

    Returns:
        The number; None where the text has no tokens, and says nothing.

    Raises:
        OptionError: a number is no whole one from 0, or the window has no token.

    Example:
        >>> characters_that_fit(368_255, 174_212, 128_000)
        270570
    """
    as_whole("characters", characters)
    room = as_whole("context_window", context_window, 1) - as_whole("output_tokens", output_tokens)
    return max(room, 0) * characters // tokens if as_whole("tokens", tokens) else None


def attention_flops(tokens: int, layers: int, dimension: int) -> int:
    """Operations of attention over a whole prompt.

    Args:
        tokens: of the prompt.
        layers: of the model.
        dimension: of a token in all heads together.

    Raises:
        OptionError: a number is no whole one from 0.

    Example:
        >>> attention_flops(2_000, 32, 4_096) // attention_flops(1_000, 32, 4_096)
        4
    """
    return (
        4
        * as_whole("layers", layers)
        * as_whole("dimension", dimension)
        * as_whole("tokens", tokens) ** 2
    )


def embedding_parameters(vocab_size: int, dimension: int, *, untied: bool = False) -> int:
    """Parameters of the embedding of a vocabulary.

    Args:
        vocab_size: of the tokenizer.
        dimension: of the model.
        untied: the output layer has a table of its own.

    Raises:
        OptionError: a number is no whole one from 0.

    Example:
        >>> embedding_parameters(32_000, 4_096), embedding_parameters(128_000, 4_096)
        (131072000, 524288000)
        >>> embedding_parameters(32_000, 4_096, untied=True)
        262144000
    """
    tables = 2 if as_flag("untied", untied) else 1
    return tables * as_whole("vocab_size", vocab_size) * as_whole("dimension", dimension)
