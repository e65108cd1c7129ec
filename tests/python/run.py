# SPDX-License-Identifier: Apache-2.0
"""Runs a test or example. A sanitizer that this process was started with is not for its children:
those that need it find it in ZTL_PRELOAD.

usage: run.py PROGRAM"""

import os
import runpy
import sys

os.environ["ZTL_PRELOAD"] = os.environ.pop("LD_PRELOAD", "")
sys.argv[:1] = []
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
