"""Engines x cases, measured fairly: see benchmarks/README.md."""
