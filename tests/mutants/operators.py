# SPDX-License-Identifier: Apache-2.0
"""Deliberate mistakes in a text of C: each is (what, where from, where to, what instead)."""
import re

COMMENT = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|^\s*#.*?$", re.S | re.M)
SWAPS = {
    "<": ("<=", ">="), "<=": ("<",), ">": (">=", "<="), ">=": (">",), "==": ("!=",), "!=": ("==",),
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("/",), "&&": ("||",), "||": ("&&",),
    "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",), "^": ("|",), "++": ("--",), "+=": ("-=",),
    "|=": ("&=",), "&=": ("|=",), "<<=": (">>=",),
}  # fmt: skip
NAMES = [  # one for the other
    ("LOAD_MASK", "STORE_MASK"), ("LOAD_WIDTH", "STORE_WIDTH"), ("LOAD_STRIDE", "STORE_STRIDE"),
    ("LOAD_MISALIGNED", "STORE_MISALIGNED"), ("LOAD_FAULT", "STORE_FAULT"), ("SLOT_MASK1", "SLOT_MASK2"),
    ("l1m", "l0m"), ("true", "false"), ("first", "second"), ("mask1", "mask2"), ("from", "to"),
    ("ZTL_RULE_DIM_ZERO", "ZTL_RULE_WIDTH_TOTAL"), ("ZTL_RULE_BAD_TYPE", "ZTL_RULE_DIM_ZERO"),
    ("ZTL_RULE_MASK_UNSET", "ZTL_RULE_MASK_FULL"), ("ZTL_RULE_MASK_FULL", "ZTL_RULE_MASK_UNSET"),
    ("ZTL_RULE_WIDTH_BITS", "ZTL_RULE_DIM_ZERO"), ("ZTL_RULE_WIDTH_TOTAL", "ZTL_RULE_DIM_ZERO"),
    ("ZTL_RULE_BLOCK_SIZE", "ZTL_RULE_WIDTH_TOTAL"), ("ZTL_RULE_BLOCK_EXACT", "ZTL_RULE_WIDTH_TOTAL"),
    ("ZTL_RULE_AXIS_RANGE", "ZTL_RULE_MASK_FULL"), ("ZTL_RULE_D0_RANGE", "ZTL_RULE_WIDTH_TOTAL"),
    ("ZTL_RULE_D0_ODD", "ZTL_RULE_BAD_TYPE"), ("ZTL_RULE_PAIR_SIZE", "ZTL_RULE_BAD_TYPE"),
    ("ZTL_RULE_PERMUTATION", "ZTL_RULE_BAD_TYPE"), ("ZTL_RULE_NO_SUBSET", "ZTL_RULE_BAD_TYPE"),
    ("ZTL_RULE_NO_ENCODING", "ZTL_RULE_BAD_TYPE"),
]  # fmt: skip
TOKEN = re.compile(r"<<=|>>=|\+\+|--|->|[<>=!+\-*/%&|^]=|<<|>>|&&|\|\||[<>+\-*/%&|^]")
NUMBER = re.compile(r"(?<![\w.\"])(0x[0-9a-fA-F]+|\d+)(?=[uUlL]*\b)")


def hidden(text):
    """The same text with blanks for comments, strings and directives."""
    return COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def is_binary(code, start, end):
    """Whether an operator stands between two operands, written with a space on each side."""
    return code[start - 1 : start] == " " and code[end : end + 1] == " "


def tokens(code):
    for m in TOKEN.finditer(code):
        if m[0] not in ("++",) and not is_binary(code, m.start(), m.end()):
            continue
        for other in SWAPS.get(m[0], ()):
            yield f"{m[0]} is {other}", m.start(), m.end(), other


def numbers(code):
    for m in NUMBER.finditer(code):
        if re.match(r"\](?:,|\))", code[m.end() :]):
            continue  # the size of an array that is a parameter
        value = int(m[1], 0)
        for other in dict.fromkeys((value + 1, max(value - 1, 0), 0)):
            if other != value:
                yield f"{m[1]} is {other}", m.start(), m.end(), str(other)


def names(code):
    for one, other in NAMES + [(b, a) for a, b in NAMES[:11]]:
        for m in re.finditer(rf"(?<![A-Za-z]){one}(?![A-Za-z0-9])", code):
            yield f"{one} is {other}", m.start(), m.end(), other
    for m in re.finditer(r"operand\[(\d)\]", code):
        for other in range(3):
            if other != int(m[1]):
                yield f"operand {m[1]} is {other}", m.start(1), m.end(1), str(other)


def conditions(code):
    """A condition is turned round, or never holds; what it guards may be a check."""
    for m in re.finditer(r"\b(if|while) \(", code):
        depth, end = 1, m.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        condition = code[m.end() : end - 1]
        if m[1] == "if":
            yield "condition turned round", m.end(), end - 1, f"!({condition})"
            yield "condition always true", m.end(), end - 1, f"1 || ({condition})"
        yield "condition never true", m.end(), end - 1, f"0 && ({condition})"
    for m in re.finditer(r"(?<=return )[^;{}]*\?|(?<== )[^;{}?]*\?", code):
        yield "choice turned round", m.start(), m.end() - 1, f"!({code[m.start():m.end() - 1].strip()}) "


def statements(code):
    """A statement is missing."""
    for m in re.finditer(r"^ +(?!return|static|const|enum|if|for|while|switch|case|default|else|break|"
                         r"unsigned |int |uint|size_t |ztl_\w+ \w|bool |enum |\}|\{)(?=[\w*])[^;{}]*;$", code, re.M):
        yield "statement missing", m.start(), m.end(), " " * (len(m[0]) - len(m[0].lstrip())) + ";"


def mutants_of(text):
    code = hidden(text)
    for operator in (tokens, numbers, names, conditions, statements):
        for what, start, end, new in operator(code):
            yield what, start, end, new
