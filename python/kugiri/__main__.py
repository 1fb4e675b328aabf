"""`python -m kugiri` is the command `kugiri`."""

from kugiri.cli import main

main()
