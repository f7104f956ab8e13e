// A probe: whether the problem's half has a member of the name MH_ASKED, whatever its arguments.
namespace probe {
struct Other { int MH_ASKED; };
struct Both : Problem, Other {};  // the name is ambiguous here where the problem has it, too
template <class T, class = void> struct Answers { static constexpr bool value = true; };
template <class T> struct Answers<T, typename Voided<decltype(&T::MH_ASKED)>::type> {
    static constexpr bool value = false;
};
}  // namespace probe

MH_ENTRY(asked) { arguments->answer[0] = probe::Answers<probe::Both>::value; }
