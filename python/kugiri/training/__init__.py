"""What train.py works with: corpus → word counts → trainer.

texts.py and word_counts.py make counts of a corpus, character_counts.py and tally.py count other
things of it; options.py says what may be asked, trainers.py and baselines.py train. train_sizes.py
and train_variants.py train many at once, plan_notes.py warns before.
"""
