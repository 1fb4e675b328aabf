"""What a tokenizer is made of, and how it came about."""
