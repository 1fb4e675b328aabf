"""What Tokenizer is made of: its calls, and what they work with.

**Calls:** encodes.py (text → ids, with encode_files.py, count_files.py), decodes.py (ids → text,
with stream.py and stop_strings.py), canonical_ids.py (which ids text becomes), ways.py (other ways
to cut a text). **What they work with:** engine.py and token_strings.py; encode_options.py says what
may be asked. **Places:** spans.py, limits.py. **Rows for models:** make_inputs.py, model_inputs.py,
model_rows.py, truncation.py, padding_token.py.
"""
