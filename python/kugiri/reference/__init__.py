"""The readable engine: the obvious thing in plain Python, one concept a file.

It is what learners read, what `explain` runs, and what tests take as the oracle of the Rust core.
Read pipeline.py first, then models/bpe.py, then train/bpe.py. Each file opens with its rule, its
cost and its source; where a fast way exists, the slow one stands here on purpose.

Nothing is imported here, so that a small part (how a token is shown) can be had without the rest.
"""
