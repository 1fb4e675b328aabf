"""The page of `kugiri serve`: a local server that answers with data, and a page that draws it.

**request → guard.py → app.py → requests.py → answers.py (store.py has the tokenizers) → JSON.**

Starlette is imported here and in no other package. The page itself is in static/: plain ES modules,
no build step, no network.
"""
