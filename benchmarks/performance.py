"""stub"""


def write() -> None:
    """Nothing."""
