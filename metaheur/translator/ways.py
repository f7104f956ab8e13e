"""For Python code that is not translated, the nearest form that is."""

from __future__ import annotations

import ast

__all__ = [
    "described_node",
    "described_statement",
    "way_of_argument",
    "way_of_assignment",
    "way_of_attribute",
    "way_of_call",
    "way_of_loop",
    "way_of_method",
]

_TABLE = "compute its values in Python, as data() or in `tables`, and index them."
_COMPILED = "write a function with a loop, and mark it @compiled."
_EQUAL = "call {0} of metaheur.reals, which is the same on every device."
_LENGTH = "lists keep their length: make the list as long as it can become, and count the entries in use."
_ALL = "use abs, all, any, bool, divmod, float, int, len, max, min, range, sum; or mark a function @compiled."

_CALLS = {
    "complex": "use whole numbers or floats.",
    "dict": "use an array that is indexed by the key.",
    "enumerate": "write for k in range(len(x)), and index x with k.",
    "filter": "write the condition in the loop: for k in ...: if ...",
    "frozenset": "use an array of truths, with an entry for each value.",
    "isinstance": "write a method for each class of moves: @compiled methods of one name are overloads.",
    "iter": "write for k in x.",
    "list": "give the list a name first: y = list(x).",
    "map": "call the function in the loop: for k in x: f(k).",
    "next": "write a loop with break.",
    "np.abs": "write abs(...).",
    "np.arange": "write range(...).",
    "np.dot": "write sum(a[k] * b[k] for k in range(len(a))).",
    "np.max": "write max(...).",
    "np.min": "write min(...).",
    "np.sum": "write sum(...).",
    "np.zeros": "write [0] * size.",
    "pow": "write a ** 2 or a ** 3, or multiply.",
    "print": "leave it out; Python runs the same text, where a debugger can stop.",
    "reversed": "write for k in range(len(x) - 1, -1, -1), and index x with k.",
    "round": "write math.floor(value + 0.5).",
    "set": "use an array of truths, with an entry for each value.",
    "sorted": "give the list a name first: y = sorted(x).",
    "str": "use whole numbers.",
    "tuple": "give a list a name first: y = list(x).",
    "zip": "write for k in range(len(x)), and index each array with k.",
    **{f"math.{name}": _COMPILED for name in ("comb", "factorial", "fsum", "gcd", "lcm", "perm", "prod")},
    "math.fabs": "write abs(...).",
    **{f"math.{name}": _EQUAL.format(name) for name in ("cos", "exp", "log", "sin", "tanh")},
    "math.pow": f"write a ** 2 or a ** 3, or multiply; or {_EQUAL.format('power')}",
    "math.trunc": "write int(...).",
}

_METHODS = {
    "all": "write all({array}).",
    "any": "write any({array}).",
    "append": _LENGTH,
    "clear": "write y = [0] * size.",
    "copy": "give the list a name: y = list({array}).",
    "count": "write sum(each == value for each in {array}).",
    "dot": "write sum({array}[k] * b[k] for k in range(len({array}))).",
    "extend": _LENGTH,
    "index": "write a loop with break.",
    "insert": _LENGTH,
    "max": "write max({array}).",
    "mean": "write sum({array}) / len({array}).",
    "min": "write min({array}).",
    "pop": _LENGTH,
    "remove": _LENGTH,
    "reverse": "exchange entries in a loop: {array}[k], {array}[-1 - k] = {array}[-1 - k], {array}[k].",
    "sort": "write {array}.sort() as a statement of its own; it sorts lists only.",
    "sum": "write sum({array}).",
    "tolist": "give the list a name: y = list({array}).",
}
"""Methods of lists and of NumPy's arrays."""

_ATTRIBUTES = {
    "T": "exchange the indices: {array}[j, i].",
    "dtype": "use the type that data() was given.",
    "e": "write the number as a constant of the class or the module: E = math.e.",
    "inf": "use a number beyond all costs, as a constant of the class or the module: LARGE = 2**61.",
    "maxsize": "use a number beyond all costs, as a constant of the class or the module: LARGE = 2**61.",
    "nan": "use a number that no other value has, such as -1.",
    "ndim": "write the number.",
    "pi": "write the number as a constant of the class or the module: PI = math.pi.",
    "shape": "write len({array}), or len({array}[0]).",
    "size": "write len({array}).",
    "tau": "write the number as a constant of the class or the module: TAU = math.tau.",
}


def way_of_call(name: str) -> str:
    """The way out for a call of a function that is not translated, by its name as it is written."""
    name = name.replace("numpy.", "np.")
    known = _CALLS.get(name) or (_TABLE if name.startswith(("math.", "cmath.")) else "")
    if name.startswith("random."):
        known = "use the random numbers that the method is given: random.bits(draw); a cost has none."
    return known or _ALL


def way_of_method(array: ast.expr, name: str, *, matrix: bool = False) -> str:
    """The way out for a method of a list, an array or a matrix."""
    if matrix:
        of, all_of = ast.unparse(array), name if name in ("all", "any", "max", "min", "sum") else "sum"
        return f"write {all_of}({of}[i, j] for i in range(len({of})) for j in range(len({of}[0])))."
    return _METHODS.get(name, "write a loop, or sum(...).").format(array=ast.unparse(array))


def way_of_attribute(node: ast.Attribute) -> str:
    """The way out for an attribute of an array or a module; "" if none is known."""
    return _ATTRIBUTES.get(node.attr, "").format(array=ast.unparse(node.value))


def way_of_argument(call: ast.Call) -> str:
    """The way out for a call with arguments by name."""
    name = ast.unparse(call.func).rpartition(".")[2]
    match name, call.keywords[0].arg:
        case "min" | "max", "key":
            return "write a loop that keeps the best entry and its key."
        case "min" | "max", "default":
            return f"give it as a number: {name}(..., value), or ask for len(...) first."
        case "sum", "start":
            return "add it: value + sum(...)."
        case "sort" | "sorted", "key":
            return "sort whole numbers that hold both, such as key * n + k; y[k] % n is then the entry."
        case "sort" | "sorted", "reverse":
            return "sort it, and read it from the end: y[-1 - k]."
    return "give them in order."


def way_of_loop(values: ast.expr, name: str = "k") -> str:
    """The way out for an iterable of a loop that is not translated."""
    match values:
        case ast.Call(func=ast.Name(id="reversed"), args=[ast.Call(func=ast.Name(id="range"), args=ends)]) if (
            len(ends) < 3
        ):
            low, high = (ast.Constant(0), ends[0]) if len(ends) == 1 else ends
            return f"write for k in range({_before(high)}, {_before(low)}, -1)."
        case ast.Call(func=ast.Name(id="reversed"), args=[ast.Name() | ast.Attribute() as array]):
            name = ast.unparse(array)
            return f"write for k in range(len({name}) - 1, -1, -1), and index {name} with k."
        case ast.Call(func=ast.Name(id=function)) if function in _CALLS:
            return _CALLS[function]
        case ast.Call(func=ast.Attribute(attr="list"), args=[_]):  # in a generator
            return f"write a loop: for {name} in {ast.unparse(values)}: ..."
    return "write for k in range(first, end)."


def _before(end: ast.expr) -> str:
    """The text of a whole number less 1."""
    if isinstance(end, ast.Constant) and isinstance(end.value, int):
        return str(end.value - 1)
    return f"{ast.unparse(end)} - 1"


def way_of_assignment(target: ast.Tuple, value: ast.expr) -> str:
    """The way out for an assignment to several names whose right side is not as many values."""
    names = [ast.unparse(each) for each in target.elts]
    if isinstance(value, ast.Tuple) or any(isinstance(each, ast.Starred) for each in target.elts):
        return "write a, b = b, a."
    array, first = value, ""
    if isinstance(value, ast.IfExp):
        both = [each.elts for each in (value.body, value.orelse) if isinstance(each, ast.Tuple)]
        if [len(each) for each in both] == [len(names)] * 2:
            ends = [ast.unparse(ast.IfExp(value.test, one, other)) for one, other in zip(*both, strict=True)]
            return f"write {'; '.join(f'{name} = {end}' for name, end in zip(names, ends, strict=True))}."
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        array = value.value
        first = f"{ast.unparse(value.slice.lower)} + " if value.slice.lower is not None else ""
        first = "" if first == "0 + " else first
    entries = ", ".join(f"{ast.unparse(array)}[{first}{k}]" for k in range(len(names)))
    return f"write {', '.join(names)} = {entries}."


_WAY = "use numbers, loops over range(), and arrays that are data() or kept."
_LIST = "give the list a name first: y = [...]."
_KEY = "use an array with an entry for each key."
_NODES: dict[type[ast.expr], tuple[str, str]] = {
    ast.Await: ("`await`", "call it without await."),
    ast.Dict: ("a dict", _KEY),
    ast.DictComp: ("a dict", _KEY),
    ast.GeneratorExp: (
        "a generator outside of a call",
        "write sum(...), min(...), max(...), any(...) or all(...) of it.",
    ),
    ast.JoinedStr: ("text", "use whole numbers."),
    ast.Lambda: ("lambda", "write a function of its own, and mark it @compiled."),
    ast.List: ("a list", _LIST),
    ast.ListComp: ("a list", _LIST),
    ast.NamedExpr: ("`:=`", "assign it in a line of its own."),
    ast.Set: ("a set", "use an array of truths, with an entry for each value."),
    ast.SetComp: ("a set", "use an array of truths, with an entry for each value."),
    ast.Starred: ("`*`", "name each value."),
    ast.Tuple: (
        "a tuple",
        "name each number; or, with several objectives, write `return a, b` in each branch of an `if`.",
    ),
}


def described_node(node: ast.expr) -> tuple[str, str]:
    """The name of an expression that is not translated, and the way out."""
    match node:
        case ast.Constant(value=None):
            return "None", "use a number that stands for nothing, such as -1."
        case ast.Constant(value=str() | bytes()):
            return "text", "use whole numbers."
        case ast.Constant():
            return "this constant", "use whole numbers or floats."
    return _NODES.get(type(node), (type(node).__name__, _WAY))


_PYTHON = "do it in Python: in a method that is not @compiled, whose numbers are data() or in `tables`."
_STATEMENTS: dict[type[ast.stmt], tuple[str, str]] = {
    ast.AnnAssign: ("a: int", "give it a value: a = 0."),
    ast.Assert: ("assert", "leave it out; `check_problem` compares the method with what is right."),
    ast.Assign: ("a = b = c", "write a, b = c, c, or two lines."),
    ast.Delete: ("del", "leave it out."),
    ast.For: ("for ... else", "set a number in the loop, and ask for it after the loop."),
    ast.FunctionDef: ("a function in a function", "write it beside this one, and mark it @compiled."),
    ast.Import: ("import", "import at the top of the file."),
    ast.ImportFrom: ("import", "import at the top of the file."),
    ast.Match: ("match", "write if and elif."),
    ast.Raise: ("raise", "refuse wrong data where the problem is made, in Python."),
    ast.Try: ("try", "ask before, with if."),
    ast.While: ("while ... else", "set a number in the loop, and ask for it after the loop."),
    ast.With: ("with", _PYTHON),
}


def described_statement(node: ast.stmt) -> tuple[str, str]:
    """The name of a statement that is not translated, and the way out."""
    if isinstance(node, ast.Expr):
        text = "yield" if isinstance(node.value, ast.Yield | ast.YieldFrom) else ast.unparse(node)
        return text, "return one number." if text == "yield" else "assign its value, or leave it out."
    known = "use =, +=, if, for ... in range(...), while, break, continue and return."
    return _STATEMENTS.get(type(node), (type(node).__name__, known))
