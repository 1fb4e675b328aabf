"""What a tokenizer of transformers has and ours has not, and what there is instead."""

from __future__ import annotations

_ADDING = (
    "a vocabulary never changes: name special tokens in training (kugiri.train(special_tokens=…)), "
    "or in the tokenizer_config.json of a folder"
)
_TOKENIZER = "tokenizer.tokenizer is the kugiri.Tokenizer, with all that it can do"

INSTEAD = {
    **dict.fromkeys(["add_tokens", "add_special_tokens", "sanitize_special_tokens"], _ADDING),
    **dict.fromkeys(["backend_tokenizer", "_tokenizer"], _TOKENIZER),
    "decoder": f"{_TOKENIZER}; tokenizer.tokenizer.spec.decoder describes this stage",
    "train_new_from_iterator": "kugiri.train(texts, preset=…)",
    "push_to_hub": "save_pretrained(folder), and huggingface_hub.upload_folder",
    "save_vocabulary": "save_pretrained(folder), or tokenizer.tokenizer.save(path)",
    **dict.fromkeys(
        ["build_inputs_with_special_tokens", "create_token_type_ids_from_sequences",
         "prepare_for_model", "truncate_sequences"],
        "a call of the tokenizer with texts does this",
    ),
    **dict.fromkeys(
        ["encode_plus", "batch_encode_plus"], "call the tokenizer itself, with a text or a list"
    ),
    "prepare_seq2seq_batch": "call the tokenizer with text_target=",
    "parse_response": "the text of tokenizer.decode(ids), taken apart by the caller",
    "encode_message_with_chat_template": "apply_chat_template of the chat so far",
    "set_truncation_and_padding": "padding= and truncation= of each call",
    "clean_up_tokenization": "decode(…, clean_up_tokenization_spaces=True)",
    "slow_tokenizer_class": "there is one kind of tokenizer here, and it is fast",
    "register_for_auto_class": "nothing: AutoTokenizer reads files, not code",
}  # fmt: skip
"""By the names that they have there."""


def instead_of(name: str) -> str:
    """What is there instead, to go behind a message; nothing where nobody would ask for it.

    Example:
        >>> instead_of("decoder"), instead_of("nonsense")
        ('; tokenizer.tokenizer is the kugiri.Tokenizer, with all that it can do; \
tokenizer.tokenizer.spec.decoder describes this stage', '')
    """
    return f"; {INSTEAD[name]}" if name in INSTEAD else ""
