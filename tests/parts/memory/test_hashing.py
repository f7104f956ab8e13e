"""Hashes of solutions: different for different solutions, and the same for one tour however it is written."""

from itertools import permutations

import numpy as np

from metaheur.parts.memory.hashing import hash_of, word


def test_different_solutions_have_different_hashes() -> None:
    xs = np.array(list(permutations(range(6))), np.int32)
    assert len(set(hash_of(xs, cyclic=False).tolist())) == len(xs)


def test_a_tour_has_one_hash_wherever_it_begins_and_whichever_way_it_runs() -> None:
    xs = np.array(list(permutations(range(6))), np.int32)
    hashes = hash_of(xs, cyclic=True)
    assert len(set(hashes.tolist())) == len(xs) // 12
    x = xs[123]
    same = [turned for shift in range(6) for turned in (np.roll(x, shift), np.roll(x, shift)[::-1])]
    assert {int(hash_of(each, cyclic=True)) for each in same} == {int(hashes[123])}


def test_words_are_those_of_splitmix64() -> None:
    assert int(word(np.array(0), np.array(0))) == 0xE220A8397B1DCDAF  # its first output for the seed 0


def test_a_hash_is_the_sum_of_its_words() -> None:
    x = np.array([2, 0, 1], np.uint8)
    total = sum(int(word(np.array(p), np.array(v))) for p, v in enumerate(x)) % 2**64
    assert int(hash_of(x, cyclic=False)) % 2**64 == total
