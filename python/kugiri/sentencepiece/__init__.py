"""Training as SentencePiece does, with the options of spm_train; trainer.py is the whole of it."""
