# SPDX-License-Identifier: GPL-3.0-or-later
"""Headless Chromium by way of chromedriver, with nothing but the standard library."""
import base64
import json
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"]
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Up": "\ue013", "Down": "\ue015", "Left": "\ue012", "Right": "\ue014",
        "Home": "\ue011", "End": "\ue010", "Tab": "\ue004", "Space": " "}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    def __init__(self, width=1440, height=900, dark=False):
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="page-test-")
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}", "--log-level=SEVERE"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        options = {"args": ARGUMENTS + [f"--user-data-dir={self.folder}", f"--window-size={width},{height}"]}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}}
        for attempt in range(100):
            try:
                self.session = self.call("POST", "/session", wanted)["sessionId"]
                break
            except OSError:
                time.sleep(0.1)
        self.scheme(dark)
        self.viewport(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait(10)
            shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if body is None and method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"},
                                         method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def command(self, method, path, body=None):
        return self.call(method, f"/session/{self.session}{path}", body)

    def devtools(self, name, **parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def scheme(self, dark):
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def viewport(self, width, height, scale=1):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                      mobile=False)

    def open(self, path, address=""):
        """Loads the page and waits until it is there; returns the seconds."""
        start = time.time()
        self.command("POST", "/url", {"url": "about:blank"})
        self.command("POST", "/url", {"url": f"file://{path}{address}"})
        self.wait("return document.documentElement.dataset.ready === 'yes'"
                  " || document.getElementById('loading')?.className === 'fatal'", 60)
        seconds = time.time() - start
        self.settle()
        return seconds

    def run(self, script, *arguments):
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, seconds=10, *arguments):
        end = time.time() + seconds
        while time.time() < end:
            value = self.run(script, *arguments)
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError(f"never became true: {script}")

    def settle(self):
        """Until what follows a change (frames, lists, texts) was drawn."""
        self.command("POST", "/execute/async", {
            "script": "const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => done(1)), 320);", "args": []})

    def find(self, selector):
        return self.command("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def click(self, selector):
        self.command("POST", f"/element/{self.find(selector)}/click")
        self.settle()

    def type(self, selector, text):
        self.command("POST", f"/element/{self.find(selector)}/value", {"text": text})
        self.settle()

    def press(self, *keys):
        """Keys to whatever has the focus."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})
        self.settle()

    def move_to(self, x, y):
        self.command("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)}]}]})
        self.settle()

    def click_at(self, x, y):
        self.command("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0}]}]})
        self.settle()

    def faults(self):
        """What the console says since the last call: errors and violations of the security policy."""
        entries = self.command("POST", "/se/log", {"type": "browser"})
        return [e["message"] for e in entries if e["level"] in ("SEVERE", "WARNING") or re.search("Content Security", e["message"])]

    def shot(self, path, full=False):
        parameters = {"captureBeyondViewport": True} if full else {}
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.devtools("Page.captureScreenshot", format="png", **parameters)["data"]))
