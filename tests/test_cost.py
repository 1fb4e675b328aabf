"""Costs: a table by hand, prices of models against the package that has them, no network."""

from __future__ import annotations

import socket
import sys
import warnings
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.cost import (
    Price,
    Tier,
    attention_flops,
    characters_that_fit,
    context_share,
    embedding_parameters,
    find_model,
    tokenizer_here,
    tokenizer_of,
)
from kugiri.cost.price import money, plain
from kugiri.errors import KugiriError, KugiriWarning, OptionError
from tools.parity_data import TIKTOKEN_CACHE_KEYS

WHY = "prices of models need genai-prices (Python 3.11): pip install 'kugiri[prices]'"
LONG = (Tier(200_000, Decimal("6"), Decimal("22.5")),)


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks the network fails."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


# ── by hand ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("price", "tokens", "answer", "input", "output", "total"),
    [
        pytest.param(Price("2.50", "10.00"), 1_000, 500, "0.0025", "0.005", "0.0075", id="002"),
        pytest.param(Price(3), 174_212, 0, "0.522636", "0", "0.522636", id="003, with ▁"),
        pytest.param(Price(3), 170_900, 0, "0.5127", "0", "0.5127", id="003, without"),
        pytest.param(Price("2.50", "10.00"), 0, 0, "0", "0", "0", id="nothing"),
        pytest.param(Price(0), 1_000, 500, "0", "0", "0", id="free"),
        pytest.param(Price("0.1"), 1, 0, "0.0000001", "0", "0.0000001", id="one token"),
        pytest.param(Price(0.1, 0.2), 10**6, 10**6, "0.1", "0.2", "0.3", id="no float noise"),
        pytest.param(
            Price("0.15", "0.60"), 123_456_789, 987_654_321,
            "18.51851835", "592.5925926", "611.11111095", id="many",
        ),
        pytest.param(
            Price("0.000000000000000001"), 10**30 + 1, 0,
            "1000000.000000000000000000000001", "0", "1000000.000000000000000000000001",
            id="huge and fine",
        ),
        pytest.param(Price(450, currency="JPY"), 2_000, 0, "0.9", "0", "0.9", id="yen"),
        pytest.param(Price(3, 15, tiers=LONG), 200_000, 1_000, "0.6", "0.015", "0.615", id="short"),
        pytest.param(
            Price(3, 15, tiers=LONG), 200_001, 1_000, "1.200006", "0.0225", "1.222506", id="long"
        ),
    ],
)  # fmt: skip
def test_costs(price: Price, tokens: int, answer: int, input: str, output: str, total: str) -> None:
    cost = price.cost(tokens, answer)
    assert (plain(cost.input), plain(cost.output), plain(cost.total)) == (input, output, total)
    assert cost.currency == price.currency


def test_tiers_are_put_in_order() -> None:
    price = Price(1, tiers=(Tier(20, Decimal(3), Decimal(0)), Tier(10, Decimal(2), Decimal(0))))
    assert [plain(price.at(tokens).input) for tokens in (0, 10, 11, 20, 21)] == list("11223")


def test_differences_and_sums() -> None:
    price = Price("2.5", "10")
    assert plain((price.cost(31) - price.cost(15)).total) == "0.00004"
    assert plain((price.cost(31, 1) + price.cost(15, 1)).total) == "0.000135"
    with pytest.raises(OptionError, match="USD and JPY cannot be added"):
        price.cost(1) + Price(1, currency="JPY").cost(1)
    with pytest.raises(TypeError, match="unsupported operand"):
        price.cost(1) + 1  # type: ignore[operator]
    with pytest.raises(OptionError, match="USD and JPY"):
        price.cost(1) - Price(1, currency="JPY").cost(1)


@given(st.decimals(0, 10**12, places=6), st.integers(0, 10**40), st.integers(0, 10**40))
def test_costs_are_exact(price: Decimal, a: int, b: int) -> None:
    """As whole numbers: the price in units of its last decimal."""
    units = int(price.scaleb(6))
    cost = Price(price, price).cost(a, b)
    assert cost.total == Decimal(f"{units * (a + b)}E-12")
    assert (Price(price).cost(a) + Price(price).cost(b)).total == Price(price).cost(a + b).total


@pytest.mark.parametrize(
    "wrong",
    [-1, "-0.01", "x", "", "1,5", "2.50 USD", "nan", "inf", float("nan"), None, True, [2], 10**13,
     pytest.param(10**5000, id="digits"), "1_0", "２.５", ".",
     "1e-19", "1e1000000", Decimal("sNaN")],
)  # fmt: skip
def test_wrong_prices(wrong: Any) -> None:
    for make in (lambda: Price(wrong), lambda: Price(1, wrong)):
        with pytest.raises(OptionError, match=r"put price is .*; it must be a number from 0"):
            make()


@pytest.mark.parametrize("wrong", [-1, 1.5, "1", None, True])
def test_wrong_numbers_of_tokens(wrong: Any) -> None:
    for call in (
        lambda: Price(1).cost(wrong),
        lambda: Price(1).cost(1, wrong),
        lambda: context_share(wrong, 10),
        lambda: characters_that_fit(1, wrong, 10),
        lambda: attention_flops(wrong, 1, 1),
        lambda: embedding_parameters(wrong, 1),
    ):
        with pytest.raises(OptionError, match="whole number from 0"):
            call()
    with pytest.raises(OptionError, match="whole number from 1"):
        context_share(1, 0)


@pytest.mark.parametrize("wrong", ["", " ", "a b", "\n", None, 5])
def test_wrong_currencies(wrong: Any) -> None:
    with pytest.raises(OptionError, match="the currency is"):
        Price(1, currency=wrong)


@pytest.mark.parametrize(
    ("value", "shown", "digits"),
    [("0", "0.00", "0"), ("0.0075", "0.0075", "0.0075"), ("100", "100.00", "100"),
     ("1E+6", "1,000,000.00", "1000000"), ("-0.500", "-0.50", "-0.5")],
)  # fmt: skip
def test_how_amounts_look(value: str, shown: str, digits: str) -> None:
    assert (money(Decimal(value)), plain(Decimal(value))) == (shown, digits)


def test_context() -> None:
    assert context_share(1_000, 128_000) == 0.0078125
    assert context_share(1_000, 2_000, 500) == 0.75
    assert characters_that_fit(368_255, 174_212, 128_000) == 270_570
    assert characters_that_fit(10, 4, 100, 20) == 200
    assert characters_that_fit(10, 4, 100, 200) == 0
    assert characters_that_fit(0, 0, 100) is None


def test_attention_grows_with_the_square() -> None:
    # 4 × 32 layers × 4,096 × 1,000² operations.
    assert attention_flops(1_000, 32, 4_096) == 524_288_000_000
    assert attention_flops(2_000, 32, 4_096) == 4 * 524_288_000_000
    assert attention_flops(0, 32, 4_096) == 0


@pytest.mark.parametrize(
    ("size", "tied", "untied"),
    [(32_000, 131_072_000, 262_144_000), (128_000, 524_288_000, 1_048_576_000), (0, 0, 0)],
)
def test_embedding(size: int, tied: int, untied: int) -> None:
    assert embedding_parameters(size, 4_096) == tied
    assert embedding_parameters(size, 4_096, untied=True) == untied


# ── tokenizers of models ──────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("model", "name", "exact"),
    [
        ("gpt-4o", "o200k_base", True),
        ("GPT-4o-mini", "o200k_base", True),
        ("azure/gpt-4", "cl100k_base", True),
        ("gpt-oss-120b", "o200k_harmony", True),
        ("gemini-2.5-pro", "google/gemma-3-4b-it", True),
        ("groq/llama-3.3-70b-versatile", "meta-llama/Llama-3.1-8B", True),
        ("claude-sonnet-4-5", "o200k_base", False),
        ("aws/us.anthropic.claude-sonnet-4-5-v1:0", "o200k_base", False),
        ("deepseek-r1-0528", "deepseek-ai/DeepSeek-R1", True),
        ("deepseek-r1-distill-llama-70b", "deepseek-ai/DeepSeek-R1", False),
        ("deepseek-r1-0528-qwen3-8b", "deepseek-ai/DeepSeek-R1", False),
        ("llama-3.1-nemotron-70b-instruct", "meta-llama/Llama-3.1-8B", False),
        ("llama-3.1-70b-instruct", "meta-llama/Llama-3.1-8B", True),
        ("grok-4", None, False),
        ("", None, False),
        ("gpt-4o-2024-05-13", "o200k_base", True),
        ("gpt-4o-mini-audio-preview-2024-12-17", "o200k_base", True),
        ("gpt-5.2-codex", "o200k_base", True),
        ("gpt-3.5-turbo-0125", "cl100k_base", True),
        ("gpt-4-32k-0613", "cl100k_base", True),
        ("o3-deep-research", "o200k_base", True),
        ("ft:gpt-4o-mini:acme::a1", "o200k_base", True),
        ("ft:gpt-4.1-mini", "o200k_base", True),  # tiktoken's own table has cl100k_base for it
        ("ft:gpt-4:acme::a1", "cl100k_base", True),
        ("gemma-3-27b-it", "google/gemma-3-4b-it", True),
        ("gemini-2.5-flash-preview-09-2025", "google/gemma-3-4b-it", True),
        ("deepseek-r1:671b", "deepseek-ai/DeepSeek-R1", True),
        ("deepseek-v3.1", "deepseek-ai/DeepSeek-V3", True),
        # made of others
        ("deepseek-r1:8b", "deepseek-ai/DeepSeek-R1", False),
        ("deepseek-r1:70b", "deepseek-ai/DeepSeek-R1", False),
        ("acme/gpt-oss-20b-new-vocab", "o200k_harmony", False),
        ("gpt-oss-swallow-20b", "o200k_harmony", False),
        ("gpt-4o-llama-distill", "o200k_base", False),
        ("o1-open", "o200k_base", False),
        ("gpt-5000-anything", "o200k_base", False),
        ("gemma-3-12b-it-1b-chat", "google/gemma-3-4b-it", False),
        ("llama-3.3-70b-8", "meta-llama/Llama-3.1-8B", False),
        ("llama-3.3-8b", "meta-llama/Llama-3.1-8B", False),
    ],
)
def test_tokenizers_of_models(model: str, name: str | None, exact: bool) -> None:
    assert tokenizer_of(model)[:2] == (name, exact)


@pytest.mark.parametrize("wrong", [None, 5, "gpt-4o\x1b[1m"])
def test_no_names_of_models(wrong: Any) -> None:
    with pytest.raises(OptionError, match="the model is"):
        tokenizer_of(wrong)


@pytest.fixture
def o200k(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of encodings; what is right lies where o200k_base is looked for."""
    data = b"aGk= 0\n"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("kugiri.formats.encoding_files._is_right", lambda it, _: it == data)
    file = tmp_path / TIKTOKEN_CACHE_KEYS["o200k_base"]
    file.write_bytes(data)
    return file


@pytest.mark.usefixtures("no_network")
def test_an_encoding_that_is_here(o200k: Path) -> None:
    assert tokenizer_here("gpt-4o")[:2] == ("o200k_base", True)
    assert tokenizer_here("claude-opus-4-1")[:2] == ("o200k_base", False)


@pytest.mark.usefixtures("no_network", "o200k")
@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("gpt-4", "gpt-4 has the encoding cl100k_base, which is not here, and nothing is fetched"),
        ("gemini-2.5-pro", "-t google/gemma-3-4b-it fetches it, and -t FILE takes a file"),
        ("grok-4", "which tokenizer grok-4 has is not known here; give one"),
    ],
)
def test_what_is_not_here(model: str, message: str) -> None:
    with pytest.raises(KugiriError) as error:
        tokenizer_here(model)
    assert message in str(error.value)


@pytest.mark.usefixtures("no_network")
def test_what_is_given_counts(tmp_path: Path) -> None:
    given = tmp_path / "my.tiktoken"
    given.write_bytes(b"aGk= 0\n")
    assert tokenizer_here("gpt-4o", "o200k_base")[:2] == ("o200k_base", True)
    assert tokenizer_here("claude-opus-4-1", "o200k_base")[:2] == ("o200k_base", False)
    assert tokenizer_here("gemini-2.5-pro", "google/gemma-3-4b-it").exact
    for model in ("gpt-4o", "gemini-2.5-pro", "grok-4"):
        found = tokenizer_here(model, str(given))
        assert found[:2] == (str(given), False)
        assert found.why.startswith(f"counted with {given}; ")


# ── prices of models ──────────────────────────────────────────────────────────────────────────
NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


@pytest.mark.usefixtures("no_network")
def test_prices_are_those_of_the_package() -> None:
    library = pytest.importorskip("genai_prices", reason=WHY)
    from genai_prices.data_snapshot import get_snapshot

    sold = [(provider.id, model.id) for provider in get_snapshot().providers
            for model in provider.models]  # fmt: skip
    priced = 0
    for provider, name in sold[::9]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", KugiriWarning)
                price = find_model(f"{provider}/{name}", at=NOON).price
        except OptionError:  # it is sold by the picture, or free
            continue
        priced += 1
        for tokens, answer in ((1_000, 500), (200_000, 1), (2_000_001, 77)):
            usage = library.Usage(input_tokens=tokens, output_tokens=answer)
            theirs = library.calc_price(
                usage, name, provider_id=provider, genai_request_timestamp=NOON
            )
            ours = price.cost(tokens, answer)
            assert (ours.input, ours.output) == (theirs.input_price, theirs.output_price), name
    assert priced > 200


@pytest.mark.usefixtures("no_network")
def test_a_model() -> None:
    pytest.importorskip("genai_prices", reason=WHY)
    model = find_model("gpt-4o", at=NOON)
    assert (model.name, model.provider, model.context_window) == ("gpt-4o", "OpenAI", 128_000)
    assert model.source.startswith("genai-prices ")
    assert model.dated is not None
    assert date(2026, 1, 1) < model.dated <= NOON.date()
    assert find_model("azure/gpt-4o", at=NOON).provider == "Microsoft Azure"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("gpt-4oo", "did you mean gpt-4o"),
        ("llama-3.3-70b", "cerebras/llama-3.3-70b"),
        ("azure/nothing-like-it", "PROVIDER/MODEL"),
        ("猫", "give the prices themselves"),
    ],
)
def test_unknown_models(name: str, hint: str) -> None:
    pytest.importorskip("genai_prices", reason=WHY)
    with pytest.raises(OptionError) as error:
        find_model(name)
    assert f"no price of a model '{name}' is known" in str(error.value)
    assert hint in str(error.value)


@pytest.mark.parametrize("wrong", ["", None, 5])
def test_wrong_names(wrong: Any) -> None:
    with pytest.raises(OptionError, match="the model is"):
        find_model(wrong)


def test_what_a_request_takes_is_said() -> None:
    pytest.importorskip("genai_prices", reason=WHY)
    with pytest.warns(KugiriWarning, match="USD for 1,000 requests, which is not counted here"):
        find_model("perplexity/sonar-pro", at=NOON)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices.data_snapshot", None)
    with pytest.raises(KugiriError, match=r"pip install 'kugiri\[prices\]', or give the prices"):
        find_model("gpt-4o")
