"""Words that C++ has taken: keywords, what the standard headers define, and what is generated."""

from __future__ import annotations

import re

__all__ = ["RESERVED", "is_word"]

# What a member must not be called: it would hide what is generated or predefined.
RESERVED = frozenset(
    """
    each saved components keeps State Move Inner Cost Total Item Team Walk Random Global Shared Own Vector Matrix
    i8 u8 i16 u16 i32 u32 i64 u64
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const
    const_cast constexpr continue decltype default delete do double dynamic_cast else enum explicit export extern false
    float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register reinterpret_cast return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
    while xor xor_eq
    NULL NAN INFINITY HUGE_VAL RAND_MAX INT_MAX INT_MIN EOF assert errno stdin stdout stderr linux unix
    """.split()  # noqa: SIM905 - a list of words
)

_PREFIXES = ("py_", "mh_", "MH_", "M_")  # the translator's, ours, and the constants of math.h


def is_word(name: str) -> bool:
    """Whether C++ can call a member of a struct so."""
    plain = re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) is not None
    return plain and name not in RESERVED and not name.startswith(_PREFIXES)
