struct Exhaustive : ExhaustiveData {};
