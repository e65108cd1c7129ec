# SPDX-License-Identifier: Apache-2.0
"""The package as the pip of doc/python.md, and as `make install`, leave it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(os.environ["ZTL_SOURCE"]), pathlib.Path(os.environ["ZTL_BUILD"])
TRY = ("import numpy, ztl; a = numpy.arange(12).reshape(3, 4); print(ztl.__file__, ztl.__version__, "
       "(ztl.ops.transpose(a) == a.T).all(), ztl.disassemble(0x0220b55b))")
NEEDED = ["python", "ops/operators.def", "ops/attributes.def", "ops/words.def", "ops/formats.def", "include/ztl"]


def use(folder, **environment):
    """What the package in a folder says, without the environment of this test."""
    kept = {k: v for k, v in os.environ.items() if k not in ("ZTL_LIBRARY_PATH", "PYTHONPATH")}
    done = subprocess.run([sys.executable, "-c", TRY], cwd="/", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=kept | environment | {
                              "PYTHONPATH": folder, "LD_PRELOAD": os.environ["ZTL_PRELOAD"]})
    return done.stdout.decode()


class Install(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def check(self, said, folder):
        self.assertTrue(said.startswith(str(folder)), said)
        self.assertIn(" True tl.xpose.01 tl1, tl2, a0\n", said)

    def test_pip(self):
        tree = self.folder / "tree"
        for name in NEEDED:  # a copy, to see what pip leaves in the folder
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            if (SOURCE / name).is_dir():
                shutil.copytree(SOURCE / name, tree / name)
            else:
                shutil.copy(SOURCE / name, tree / name)
        before = sorted(tree.rglob("*"))
        page = (SOURCE / "doc/python.md").read_text()
        command = re.search(r"^/usr/bin/python3 -m pip install .*$", page, re.M)[0]
        subprocess.run(["bash", "-c", command], cwd=tree, check=True, stdout=subprocess.DEVNULL,
                       env=os.environ | {"HOME": str(self.folder), "PIP_NO_INDEX": "1"})
        self.assertEqual(sorted(tree.rglob("*")), before)
        site = self.folder / re.search(r"--target ~/(\S+)", command)[1]
        self.check(use(str(site), ZTL_LIBRARY_PATH=str(BUILD)), site)
        self.assertTrue((site / "ztl/py.typed").is_file())
        # With libraries that lack something, and without them, it says what to do.
        old, name = self.folder / "old", sorted(path.name for path in BUILD.glob("libztl.so.*"))[0]
        old.mkdir()
        (old / "old.c").write_text(
            "#include <ztl/version.h>\n"
            "unsigned ztl_version_number(void)\n"
            "{ return ZTL_VERSION_MAJOR * 10000 + ZTL_VERSION_MINOR * 100; }\n"
            "const char *ztl_version(void) { return \"old\"; }\n")
        subprocess.run([os.environ["CC"], "-shared", "-fPIC", "-I", SOURCE / "include", old / "old.c",
                        "-o", old / name], check=True)
        said = use(str(site), ZTL_LIBRARY_PATH=f"{old}:{BUILD}")
        self.assertRegex(said, r"ztl\.NotFound: .*/libztl\.so\S+ has no ztl_\w+: it is older than")
        (self.folder / "empty").mkdir()
        if shutil.which("ldconfig", path="/usr/sbin:/sbin") and "libztl.so" not in subprocess.run(
                ["/sbin/ldconfig", "-p"], capture_output=True).stdout.decode():
            said = use(str(site), ZTL_LIBRARY_PATH=str(self.folder / "empty"))
            self.assertRegex(said, r"ztl\.NotFound: there is no libztl\.so\.[0-9.]+: .*make install")

    def test_make_install(self):
        environment = os.environ | {"DESTDIR": str(self.folder)}
        for prefix, place in (("/opt/ztl", "python%d.%d" % sys.version_info[:2]), ("/usr", "python3")):
            subprocess.run(["cmake", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-P",
                            BUILD / "cmake_install.cmake"], check=True, env=environment,
                           stdout=subprocess.DEVNULL)
            site = self.folder / prefix[1:] / "lib" / place / "dist-packages"
            self.check(use(str(site)), site)  # the libraries are found from there


unittest.main()
