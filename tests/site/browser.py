# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, driven through a pipe: pages, keys, pictures, and what it asked for."""
import base64
import json
import os
import subprocess
import tempfile
import time


class Browser:
    """`with Browser() as browser`: one page; ends with all its processes."""

    def __init__(self, width=1280, height=900, dark=False):
        self.requests, self.messages, self.count = [], [], 0
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, from_test = os.pipe()
        to_test, from_browser = os.pipe()
        command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                   "--disable-extensions", "--disable-background-networking", "--disable-sync",
                   "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--disable-features=Translate,MediaRouter,OptimizationHints", "--no-proxy-server",
                   "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--lang=en-US",
                   f"--window-size={width},{height}", f"--user-data-dir={self.profile.name}",
                   "--remote-debugging-pipe", "about:blank"]

        def place():  # Chromium reads 3 and writes 4
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        environment = os.environ | {"HOME": self.profile.name, "LANG": "C.UTF-8"}
        # what place makes are 3 and 4, whatever is closed
        self.process = subprocess.Popen(command, preexec_fn=place, pass_fds=(3, 4), close_fds=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env=environment, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.out, self.into = from_test, os.fdopen(to_test, "rb", buffering=0)
        self.rest = b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.size(width, height, dark)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.write(self.out, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        self.into.close()
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.rest:
            part = self.into.read(1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        parameters = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif event.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.messages.append(parameters["entry"]["text"])

    def size(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def run(self, expression):
        """The value of an expression in the page; what it promises, kept."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")

    def wait(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not self.run(expression):
            assert time.monotonic() < end, f"never true: {expression}; {self.messages}"
            time.sleep(0.02)

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def key(self, key, code=0, modifiers=0):
        """modifiers: 1 Alt, 2 Ctrl, 8 Shift"""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, modifiers=modifiers,
                      windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
