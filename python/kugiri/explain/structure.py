"""What an explanation is made of: plain data, and the only thing that drawings are made from.

Rule.    Every part is a record of strings, numbers and lists, in the order of the pipeline. A
         string of the vocabulary is as the original library writes it; where `visible_bytes` is
         true that is in GPT-2's visible characters (Ġ for a space), which drawings turn back into
         text.
         A span is a pair of places in the text, in characters, end exclusive.
         docs/schemas/explain.json is the JSON schema of it, made from these classes.
Cost.    None.
"""

from __future__ import annotations

import msgspec

from kugiri.encoding import Span
from kugiri.explain.normalization import Normalization

LONGEST = 500
"""A word of more units than this has its ids but no steps: they grow with the square."""


class _Part(msgspec.Struct, frozen=True):
    """The common form of all parts."""


class Boundary(_Part, frozen=True):
    """A place where a pre-tokenizer, or an added token, parts two pre-tokens.

    Attributes:
        span: from the end of the one before to the start of the one after; what lies between was
            dropped.
        step: the step of the pre-tokenizer that cut here first, by its name.
        rule: what it cut by, in words.
    """

    span: Span
    step: str
    rule: str


class Word(_Part, frozen=True):
    """A pre-token, as a model works on it.

    Attributes:
        text: what the model was given.
        span: its characters of the text.
        is_whole: whether it is a token as it stands, without looking at the model's steps.
        is_shown: whether its steps are here; they are not if it is too long, or was dropped.
        symbols: what merging starts from (BPE).
        roots: what is left when merging ends, by number (BPE): symbols have the numbers from 0,
            merges of this word those that follow.
        tokens, ids: what became of it; an id is null where none stands for it.
    """

    text: str
    span: Span
    is_whole: bool
    is_shown: bool
    symbols: list[str]
    roots: list[int]
    tokens: list[str]
    ids: list[int | None]


class Merge(_Part, frozen=True):
    """One merge in one word.

    Attributes:
        word: the number of the word.
        rank: the lowest of all that were possible; of a vocabulary without merges the id of the
            join, of a .model the place of its score.
        left, right, result: the pair and its join.
        parts: the pair by number (see `Word.roots`).
        position: where the left one stood among the symbols before.
        before, after: the symbols of the word.
    """

    word: int
    rank: int
    left: str
    right: str
    result: str
    parts: tuple[int, int]
    position: int
    before: list[str]
    after: list[str]


class BPESteps(_Part, frozen=True, tag_field="type", tag="BPE"):
    """How a BPE model cut the words.

    Attributes:
        order: what ranks are: "list" rows of the merge list, "rank" ids, "score" places of scores.
        words: the words.
        merges: every merge, word by word, in order of time.
    """

    order: str
    words: list[Word]
    merges: list[Merge]


class Match(_Part, frozen=True):
    """One search for the longest token that fits.

    Attributes:
        word: the number of the word.
        start: the character of the word where it began.
        tried: what was looked up, the longest first; the last is what was found, if anything.
        found: the token; null where none fits, and then the whole word is unknown.
    """

    word: int
    start: int
    tried: list[str]
    found: str | None


class WordPieceSteps(_Part, frozen=True, tag_field="type", tag="WordPiece"):
    """How a WordPiece model cut the words, search by search."""

    words: list[Word]
    matches: list[Match]


class Node(_Part, frozen=True):
    """A piece at its place in the lattice.

    Attributes:
        piece: its string.
        id: its id; null for a character that no piece stands for.
        start, end: its characters in `UnigramSteps.text`.
        span: its characters of the original text.
        score: its log probability.
        probability: the share of all ways that go through it, each by its probability.
        is_best: whether the best way goes through it.
    """

    piece: str
    id: int | None
    start: int
    end: int
    span: Span
    score: float
    probability: float
    is_best: bool


class Way(_Part, frozen=True):
    """One way to cut the whole text.

    Attributes:
        pieces, ids: its tokens.
        log_prob: the sum of their scores.
        posterior: its probability among all ways.
        margin: by how much the best way is better; 0 for the best.
    """

    pieces: list[str]
    ids: list[int]
    log_prob: float
    posterior: float
    margin: float


class UnigramSteps(_Part, frozen=True, tag_field="type", tag="Unigram"):
    """How a Unigram model cut the text.

    Attributes:
        text: what the model was given, its words put together.
        words: the words.
        is_shown: whether the lattice is here; it is not if the text is too long.
        paths: how many ways there are.
        entropy: how uncertain the cut is, in nats.
        lattice: every piece that stands in the text, by place.
        nbest: the best ways, best first.
    """

    text: str
    words: list[Word]
    is_shown: bool
    paths: float
    entropy: float
    lattice: list[Node]
    nbest: list[Way]


class Lookups(_Part, frozen=True, tag_field="type", tag="Lookup"):
    """How a model of whole words or of single characters cut the words: it looks them up."""

    words: list[Word]


class Fallback(_Part, frozen=True):
    """Characters that no token stands for.

    Attributes:
        text: the characters.
        span: where they stand.
        became: "bytes" or "unknown".
        ids: the tokens.
    """

    text: str
    span: Span
    became: str
    ids: list[int]


class PostProcess(_Part, frozen=True):
    """What was put around the text.

    Attributes:
        template: what add_special_tokens puts where; "$A" is the text.
        added: the numbers of the tokens that stand for no text, but were put in.
    """

    template: list[str]
    added: list[int]


class Decoded(_Part, frozen=True):
    """The way back.

    Attributes:
        text: what decoding the ids gives, special tokens that were put in left out.
        is_exact: whether that is the text.
        differs_at: the first character that is not the same; null where it is exact.
    """

    text: str
    is_exact: bool
    differs_at: int | None


class Explanation(_Part, frozen=True):
    """What became of a text, stage by stage.

    Attributes:
        schema: the version of this structure.
        text: the text.
        visible_bytes: whether tokens are written in the visible characters of bytes.
        special_tokens: the added tokens that were found and cut out, special or not, each with its
            characters.
        left_as_text: special tokens that stand in the text and were not allowed: they are text.
        normalization: before, after, and each change.
        pre_tokens: what the model was given, each with its characters.
        boundaries: what parts two of them that follow one another.
        model: the steps of the model.
        fallbacks: characters that no token stands for.
        post_process: what was put around.
        ids, tokens: the result.
        bytes: what each id stands for, in hex.
        spans: of each token, as the original library gives them.
        covering_spans: the characters that each token touches.
        byte_spans: the same in bytes of the UTF-8 text.
        special: whether each is a special token.
        decoded: the way back.
    """

    schema: int
    text: str
    visible_bytes: bool
    special_tokens: list[tuple[str, Span]]
    left_as_text: list[tuple[str, Span]]
    normalization: Normalization
    pre_tokens: list[tuple[str, Span]]
    boundaries: list[Boundary]
    model: BPESteps | WordPieceSteps | UnigramSteps | Lookups
    fallbacks: list[Fallback]
    post_process: PostProcess
    ids: list[int]
    tokens: list[str]
    bytes: list[str]
    spans: list[Span]
    covering_spans: list[Span]
    byte_spans: list[Span]
    special: list[bool]
    decoded: Decoded

    def to_json(self) -> str:
        """The same as a JSON object."""
        return msgspec.json.encode(self).decode()

    def to_html(self) -> str:
        """The same as one page of HTML that needs nothing else."""
        from kugiri.explain.html.text_page import text_page

        return text_page(self)
