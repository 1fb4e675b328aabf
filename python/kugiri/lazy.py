"""Values that are worked out at their first use, and modules that are imported then.

`functools.cached_property` holds a lock meanwhile before Python 3.12, one for all instances; in a
child of a fork that comes at that moment nobody would ever open it. Here two threads may both work
a value out, and either is kept: they are equal. Python holds a lock while it imports a module, too;
there a fork waits until none of ours is being imported.
"""

from __future__ import annotations

import os
from _thread import RLock
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")

_importing = RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_importing.acquire,
        after_in_parent=_importing.release,
        after_in_child=_importing.release,
    )


def imported(name: str) -> ModuleType:
    """Import a module, and let no fork happen meanwhile."""
    with _importing:
        return import_module(name)


class lazy_property(Generic[T]):
    """A property that its instance keeps from its first use on.

    Example:
        >>> class Word:
        ...     @lazy_property
        ...     def length(self) -> int:
        ...         print("counting")
        ...         return 3
        >>> word = Word()
        >>> word.length, word.length
        counting
        (3, 3)
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        """Keep how the value is made."""
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name under which an instance keeps it, and finds it before it looks here."""
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> T | lazy_property[T]:
        """Make the value and keep it."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._make(instance)
        return value


class _Module:
    """A module that is imported when something of it is first asked for."""

    def __init__(self, name: str) -> None:
        """Keep the name."""
        self.__name__ = name

    def __getattr__(self, attribute: str) -> Any:
        """Import the module, and keep what was asked for."""
        value = getattr(imported(self.__name__), attribute)
        setattr(self, attribute, value)
        return value


def lazy_module(name: str) -> Any:
    """Return what stands for a module until something of it is used.

    Loading a tokenizer and encoding a text must not wait for modules that they do not need, numpy
    before all (tests/test_imports.py). For the type checker the import is written beside it.

    Example:
        >>> math = lazy_module("math")
        >>> math.floor(1.5)
        1
    """
    return _Module(name)
