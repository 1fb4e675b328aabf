"""Random numbers that are the same for a seed in every process, version and language.

Rule.    SplitMix64: a counter goes on by a fixed odd step, and a mixing function makes a number of
         it. A fraction is the upper 53 bits of a number; a number below n is the whole of it as a
         share of n.
Cost.    A few multiplications.
Source.  Steele, Lea and Flood 2014, the generator that java.util.SplittableRandom uses.
"""

from __future__ import annotations

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15  # 2⁶⁴ divided by the golden ratio, made odd


class RandomNumbers:
    """A row of random numbers.

    Example:
        >>> numbers = RandomNumbers(0)
        >>> hex(numbers.next()), round(numbers.fraction(), 6)
        ('0xe220a8397b1dcdaf', 0.431528)
    """

    def __init__(self, seed: int) -> None:
        """Begin the row of a seed, of which the lower 64 bits count."""
        self._state = seed & _MASK

    def next(self) -> int:
        """The next number of 64 bits."""
        self._state = (self._state + _STEP) & _MASK
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
        return mixed ^ mixed >> 31

    def fraction(self) -> float:
        """The next number as one that is at least 0 and less than 1."""
        return (self.next() >> 11) / (1 << 53)

    def below(self, count: int) -> int:
        """The next number as one from 0 to `count` - 1, each as likely."""
        return self.next() * count >> 64

    def choose(self, weights: list[float]) -> int:
        """The index of one of the weights, each as likely as it is heavy."""
        total = 0.0
        for weight in weights:  # one by one: `sum` rounds in another way since Python 3.12
            total += weight
        left = self.fraction() * total
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        return max(range(len(weights)), key=weights.__getitem__)  # rounding left nothing over
