// A probe: whether the problem's half has members of the names in MH_ASKED, whatever their arguments. A name is
// ambiguous in a struct of two bases where the problem has it, too.
#define MH_PROBE(name, place)                                                                    \
    namespace probe_##name {                                                                     \
        struct Other { int name; };                                                              \
        struct Both : Problem, Other {};                                                         \
        template <class T, class = void> struct Answers { static constexpr bool value = true; }; \
        template <class T> struct Answers<T, typename Voided<decltype(&T::name)>::type> {        \
            static constexpr bool value = false;                                                 \
        };                                                                                       \
    }
MH_ASKED(MH_PROBE)

#define MH_ANSWER(name, place) arguments->answer[place] = probe_##name::Answers<probe_##name::Both>::value;
MH_ENTRY(asked) { MH_ASKED(MH_ANSWER) }
