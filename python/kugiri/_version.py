"""The version, once (Cargo.toml has it too; a test compares them)."""

__version__ = "0.1.0"
