"""A small client of the W3C's WebDriver protocol (https://www.w3.org/TR/webdriver2/) for headless
Chromium: enough to open a file, ask the page things, click, type, and take pictures."""

import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that the protocol has for elements
KEYS = {"Escape": "\ue00c", "Enter": "\ue007", "Backspace": "\ue003", "ArrowDown": "\ue015",
        "ArrowUp": "\ue013", "ArrowLeft": "\ue012", "ArrowRight": "\ue014"}
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--hide-scrollbars"]


def is_there():
    return bool(shutil.which("chromedriver") and shutil.which("chromium"))


class Browser:
    """One window; to be used in a with statement."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        try:
            self.root = f"http://127.0.0.1:{self._port()}"
            options = {"args": ARGUMENTS + ["--user-data-dir=" + self.folder.name]}
            wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
            session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        except BaseException:
            self.driver.terminate()
            raise
        self.root += "/session/" + session["sessionId"]
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.folder.cleanup()

    def _port(self):
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                return int(line.rstrip(".\n").rsplit(" ", 1)[1])
        raise RuntimeError("chromedriver did not start")

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:500]) from error

    def _devtools(self, command, **parameters):
        self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height):
        self._devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                       deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self._devtools("Emulation.setEmulatedMedia",
                       features=[{"name": "prefers-color-scheme", "value": name}])

    def open(self, url):
        # A URL that differs in its fragment alone would not be loaded anew.
        self._call("POST", "/url", {"url": "about:blank"})
        self._call("POST", "/url", {"url": url})

    def back(self):
        self._call("POST", "/back", {})
        self.settle()

    def url(self):
        return self._call("GET", "/url")

    def run(self, script, *arguments):
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def settle(self):
        """Waits for two frames, in which the page has done what events asked for."""
        self._call("POST", "/execute/async", {"script": "const done = arguments[0]; "
                   "requestAnimationFrame(() => requestAnimationFrame(() => done(1)));", "args": []})

    def element(self, css):
        found = self._call("POST", "/element", {"using": "css selector", "value": css})
        return found[ELEMENT]

    def point(self, x, y, click=False):
        """Moves the mouse to a place of the window, and may click there."""
        steps = [{"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)}]
        if click:
            steps += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
             "actions": steps}]})
        self.settle()

    def press(self, *keys):
        steps = []
        for key in keys:
            value = KEYS.get(key, key)
            steps += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._call("POST", "/actions",
                   {"actions": [{"type": "key", "id": "keys", "actions": steps}]})
        self.settle()

    def errors(self):
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})
                if entry["level"] == "SEVERE"]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("GET", "/screenshot")))
