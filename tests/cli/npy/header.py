# SPDX-License-Identifier: Apache-2.0
"""Headers of .npy files: what NumPy reads, ztl op reads as the same array; what NumPy refuses is
refused."""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import warnings

import numpy as np

ZTL, MUTATED = os.path.abspath(sys.argv[1]), int(sys.argv[2])
DATA = bytes(range(1, 252)) * 8
PLAIN = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"
DESCRS = [
    "<i2", ">i2", "|i2", "=i2", "i2", "<i02", "|i1", ">i1", "<b1", "?", "<?", "h", "<h", ">h", "l",
    "<Q", "e", "<g", "F", "|V4", "<V8", ">V2", "V3", "<m8", "<M8[ns]", "<M8[25us]", "M8[x]",
    "<M8[]", "m8[ns", "M8[ns]]", "i2[ns]", "float32", "<float32", "uint8", "double", "i3", "f12",
    "<f16", "<c32", "U1", "S4", "O", "", "<", "i", "i-2", "i2 ", " i2", "<<i2", "Int16",
    "complex64", "bool", "longdouble", "d8", "2i4", "<\ni2"]
SHAPES = [
    "()", "(6,)", "(6)", "(2,3)", "(2,\n3)", "(\t2\t,\t3\t)", "(2 , 3 , )", "(2,,3)", "(,)",
    "(,2)", "[2, 3]", "2", "(2, 3", "2, 3)", "(2, -3)", "(0, 5)", "(2L, 3L)", "(2l,)", "(0x2, 3)",
    "(0b11,)", "(0o7,)", "(1_0,)", "(1__0,)", "(_1,)", "(1_,)", "(02,)", "(00,)", "(2.0,)",
    "(2e0,)", "(2j,)", "(+2,)", "(- 2,)", "(--2,)", "(True, 3)", "(None,)", "('2',)", "((2, 3))",
    "((2), 3)", "((2, 3),)", "(2 3)", "(2,3) ", "(99999999999999999999,)", "(1,1,1,1,1,1,1,6)",
    "(0X2,)", "(2#a\n,3)", "(2,\\\n3)", "(2,\f3)", "(2,\r3)", "(2,\v3)", "(2,\xa03)", "(2;3)"]
ORDERS = ["True", "true", "0", "1", "None", "'True'", "(True)", "(True,)", "Falsely", "not True",
          "False False"]
REPLACED = {
    "'": ['"', "'''", "`", ""],
    " ": ["", "\n", "\t", "\r\n", " # word\n"],
    ", }": ["}", ",, }", " ", ", 'more': 1}"],
    ":": ["", " : ", "=", "::"],
    ", ": [" ", "; "],
    "'descr'": ["descr", "'Descr'", "'de' 'scr'", "('descr')", "u'descr'", "r'descr'", "b'descr'",
                '"""descr"""', "'descr\""],
    "'<i2'": ["('<i2')", "'<i2',", "('<i2',)", "None", "2", "[('a', '<i2')]", "'<' 'i2'"],
    "'shape'": ["'other'", "shape", "'shape ' "],
    "False": ORDERS,
    "(2, 3)": SHAPES,
    "<i2": DESCRS,
}
HEADERS = [
    *(PLAIN.replace(part, other) for part, others in REPLACED.items() for other in others),
    *(PLAIN.replace("False", "True").replace("(2, 3)", shape) for shape in SHAPES[:8]),
    *(before + PLAIN for before in (" \t", "\n", "\n \n", "\n ", "\r\n", "# start\n", "\\\n", "\0",
                                    "x", "x=", "{")),
    *(PLAIN + behind for behind in ("\n\n \n", " # end", "\n# end\n", "\0", "x", ",", ";", "}",
                                    PLAIN, "\n" + PLAIN)),
    "(" + PLAIN + ")", "(" + PLAIN + ",)", "[" + PLAIN + "]", PLAIN[1:], PLAIN[:-1],
    "", " ", "{}", "[]", "()", "7", "'text'", "{'descr': '<i2'}",
    "{'shape': (2, 3), 'descr': '<f4', 'fortran_order': True}"]
# Python takes the last one; which is meant nobody knows.
TWICE = ["{%s, %s" % (entry, PLAIN[1:]) for entry in
         ("'shape': (3, 2)", "'shape': (2, 3)", "'descr': '<i2'", "'fortran_order': False")]


def file_of(header, version):
    text = header.encode("utf-8" if version == 3 else "latin-1", "replace")
    return b"\x93NUMPY" + bytes((version, 0)) + struct.pack("<H" if version == 1 else "<I",
                                                            len(text)) + text + DATA


def by_numpy(path):
    """The array, or None where NumPy refuses it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.load(path)
    except Exception:  # of every kind: tokenizer, parser, memory
        return None


def by_ztl(path):
    run = subprocess.run([ZTL, "op", "reshape", path, "--shape", "-1", "-o", "out.npy"],
                         stderr=subprocess.PIPE, check=False, timeout=60)
    assert run.returncode in (0, 1), run
    if run.returncode == 0:
        return np.load("out.npy")
    assert run.stderr.startswith(b"ztl op reshape: "), run
    return None


def is_supported(array, header):
    """Of a dtype that ztl op takes, given plainly: letter and size, or name."""
    sizes = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8, 16), "c": (8, 16, 32),
             "V": (1, 2, 4, 8, 16, 32), "m": (8,), "M": (8,)}
    plain = re.search(r"""descr['"][\s)]*:[\s(]*['"][<>|=]?([a-zA-Z]+[0-9]*|\?)"""
                      r"""(\[[0-9]*[a-zA-Z]+\])?['"]""", header)
    return (array.dtype.itemsize in sizes.get(array.dtype.kind, ()) and array.ndim <= 8 and plain
            and array.dtype.names is None and array.dtype.newbyteorder("=") == array.dtype
            and not re.search(r"-\s*[1-9]", header))  # NumPy takes -1 for what is left


def check(header, version, must=False):
    with open("in.npy", "wb") as file:
        file.write(file_of(header, version))
    expected, got = by_numpy("in.npy"), by_ztl("in.npy")
    what = (header, version)
    if expected is None:
        assert got is None, ("NumPy refuses it", *what)
    elif is_supported(expected, header) and expected.size:
        assert got is not None, ("NumPy reads it", *what)
    if got is not None:
        assert got.dtype == expected.dtype and got.tobytes() == expected.tobytes(), what
        rank = subprocess.run([ZTL, "op", "transpose", "in.npy", "-o", "out.npy"], check=False)
        turned = np.load("out.npy")
        assert rank.returncode == 0 and turned.shape == expected.T.shape, what
        assert turned.tobytes() == np.ascontiguousarray(expected.T).tobytes(), what
    assert not must or got is not None, ("must be read", *what)


def mutate(header, rng):
    text = list(header)
    for _ in range(rng.randint(1, 3)):
        at, kind = rng.randrange(len(text)), rng.randrange(4)
        if kind == 0:
            text[at:at + 1] = []
        elif kind == 1:
            text.insert(at, rng.choice(" \t\n\r\f,:(){}[]'\"0123456789<>|=#-+_LuTF"))
        elif kind == 2:
            text[at] = rng.choice(" \n,:(){}'\"0123456789abcdefghilmnopqrstuvwxyz\x7f\xe9")
        else:
            other = rng.randrange(len(text))
            text[at], text[other] = text[other], text[at]
        text = text or [" "]
    return "".join(text)


def main():
    rng = random.Random(10)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for version in 1, 2, 3:
            check(PLAIN, version, must=True)
            for header in HEADERS:
                check(header, version)
        for header in TWICE:
            with open("in.npy", "wb") as file:
                file.write(file_of(header, 1))
            assert by_numpy("in.npy") is not None and by_ztl("in.npy") is None, header
        for _ in range(MUTATED):
            base = rng.choice((PLAIN, PLAIN.replace("'", '"'),
                               "{'shape': (1, 5,), " + PLAIN[1:41] + "}",
                               "{'descr':'|u1','fortran_order':True,'shape':(4,3)}"))
            header = mutate(base, rng)
            if not any(len(re.findall(key, header)) > 1 for key in ("descr", "shape", "fortran")):
                check(header, rng.randint(1, 3))


main()
