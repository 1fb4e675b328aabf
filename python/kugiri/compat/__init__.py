"""Drop-in stands for other libraries: their names and their calls, over the engine of kugiri.

`kugiri.compat.tiktoken` is called like tiktoken 0.14.0, `kugiri.compat.transformers` like a fast
tokenizer of transformers 5. Each follows its original where kugiri itself decides otherwise, text
that looks like a special token above all.
"""
