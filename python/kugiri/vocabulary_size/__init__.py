"""How large a vocabulary should be: curves of tokens by size, a recommendation, laws beside it."""
