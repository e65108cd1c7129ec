# SPDX-License-Identifier: Apache-2.0
"""The description of a target: dut.yaml and the two files beside it."""
import pathlib
import shlex

import yaml

KEYS = {"name": str, "xlen": int, "revision": int, "subsets": str, "command": str, "model": str, "link": str,
        "timeout": (int, float), "windows": bool, "wraps": bool, "top": bool, "console": bool}  # fmt: skip
LETTERS = {0: "", 1: "xcam", 2: "xcamp"}


class Problem(Exception):
    """Something that the user gave cannot be used."""


class Target:
    def __init__(self, path, command=None):
        self.path = pathlib.Path(path)
        try:
            found = yaml.safe_load(self.path.read_text())
        except OSError as error:
            raise Problem(f"{path}: {error.strerror}") from None
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise Problem(f"{path}: {' '.join(str(error).split())}") from None
        if not isinstance(found, dict):
            raise Problem(f"{path}: is not a list of 'key: value'")
        for key, value in found.items():
            if key not in KEYS:
                raise Problem(f"{path}: '{key}' is none of {', '.join(KEYS)}")
            if not isinstance(value, KEYS[key]) or isinstance(value, bool) != (KEYS[key] is bool):
                raise Problem(f"{path}: {key}: '{value}' has the wrong type")
        self.name = found.get("name", self.path.parent.name)
        self.xlen = self.one_of(found, "xlen", (32, 64))
        self.revision = self.one_of(found, "revision", (0, 1, 2))
        self.subsets = found.get("subsets", LETTERS[self.revision])
        if bad := set(self.subsets) - set(LETTERS[self.revision]):
            raise Problem(f"{path}: subsets: revision {self.revision} has no '{min(bad)}', only "
                          f"'{LETTERS[self.revision]}'")
        self.command = shlex.split(command or found.get("command", ""))
        if not any("{elf}" in word for word in self.command):
            raise Problem(f"{path}: command: has no {{elf}}")
        self.model = self.file(found.get("model", "model.h"))
        self.link = self.file(found.get("link", "link.ld"))
        self.timeout = found.get("timeout", 60)
        self.console = found.get("console", True)
        self.features = {name for name in ("windows", "wraps", "top") if found.get(name)}
        if self.revision and self.subsets:
            self.features |= {f"without-{letter}" for letter in LETTERS[self.revision]
                              if letter not in self.subsets}

    def one_of(self, found, key, allowed):
        if found.get(key) not in allowed:
            raise Problem(f"{self.path}: {key}: must be one of {', '.join(map(str, allowed))}")
        return found[key]

    def file(self, name):
        path = self.path.parent / name
        if not path.is_file():
            raise Problem(f"{path}: not found; {self.path} needs it")
        return path

    def takes(self, program):
        """Whether a program is for this target."""
        features = set(program["features"])
        if program["revision"] != self.revision or program["xlen"] not in (None, self.xlen):
            return False
        if not set(program["needs"]) <= set(self.subsets) | {f[8:] for f in features if f.startswith("without-")}:
            return False
        # with windows the program's other RAM is not where model.h says that it ends
        return features <= self.features and ("windows" in features or "windows" not in self.features)
