# SPDX-License-Identifier: MPL-2.0
"""A headless Chromium, driven by its own protocol over two pipes."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


def program():
    """The browser; None without one."""
    return next((found for found in map(shutil.which, NAMES) if found), None)


class Browser:
    def __init__(self, *switches):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        command = [program(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run"]
        command += ["--disable-background-networking", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        command += [f"--user-data-dir={self.profile.name}", "--hide-scrollbars", *switches, "about:blank"]

        def connect():  # the browser reads commands from 3 and writes answers to 4
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            command, preexec_fn=connect, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_browser)
        os.close(from_browser)
        self._rest = b""
        self._number = 0
        self.events = []

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self._in)
        os.close(self._out)
        self.profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _message(self):
        while b"\0" not in self._rest:
            more = os.read(self._in, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def send(self, method, session=None, **parameters):
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        os.write(self._out, json.dumps(command).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def page(self, file, width=1000, height=700, dark=True, touch=False, is_ready=True):
        """`file` may be a URL. `is_ready`: waits until it shows something."""
        page = Page(self, file, width, height, dark, touch)
        if is_ready:
            page.wait("document.body && document.body.classList.contains('ready')")
        return page


class Page:
    """A page of a file."""

    def __init__(self, browser, file, width, height, dark, touch):
        self.browser = browser
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        browser.events.clear()
        self.send("Page.navigate", url=file if "://" in str(file) else f"file://{file}")

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def evaluate(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression, seconds=30):
        end = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise TimeoutError(f"{expression}; {self.evaluate('document.body.innerText')!r}")
            time.sleep(0.05)

    def drawn(self):
        """Waits until everything is on the screen."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.wait("!viewer.needsDrawing")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key, modifiers=0):
        text = key if len(key) == 1 else ""
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, modifiers=modifiers)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def picture(self, file, clip=None):
        area = {"clip": dict(clip, scale=1)} if clip else {}
        file.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png", **area)["data"]))

    def problems(self):
        """What the console has, exceptions, and requests other than the page itself."""
        self.evaluate("0")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, what = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(str(what["exceptionDetails"]))
            elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
                found.append(str(what["args"]))
            elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
                found.append(what["entry"]["text"])
            elif method == "Network.requestWillBeSent" and what.get("type") != "Document":
                found.append(f"requests {what['request']['url']}")
            elif method == "Page.javascriptDialogOpening":
                found.append(f"a dialog: {what['message']}")
        return found

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
