# SPDX-License-Identifier: GPL-3.0-or-later
"""A client of the Language Server Protocol, as much as the tests need."""
import json, select, subprocess, time


class Client:
    def __init__(self, *command, cwd=None):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)
        self.buffer, self.number, self.notifications, self.requests = b"", 0, [], []

    def raw(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self, seconds=60):
        """The next message; None at the end of the stream."""
        until = time.monotonic() + seconds
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                name, _, length = head.partition(b": ")
                assert name == b"Content-Length" and length.isdigit(), head
                if len(rest) >= int(length):
                    body, self.buffer = rest[:int(length)], rest[int(length):]
                    return json.loads(body)
            ready = select.select([self.server.stdout], [], [], max(0, until - time.monotonic()))[0]
            assert ready, "the server says nothing"
            more = self.server.stdout.read1(65536)
            if not more:
                assert not self.buffer, self.buffer
                return None
            self.buffer += more

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, **params):
        """The answer; what comes before it is kept."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.answer(self.number)

    def answer(self, number):
        while True:
            message = self.receive()
            assert message is not None and message["jsonrpc"] == "2.0", message
            if "method" not in message:
                assert message["id"] == number, message
                return message
            (self.requests if "id" in message else self.notifications).append(message)

    def wait_for(self, method):
        """The first notification of this kind that nobody took yet."""
        while True:
            for i, message in enumerate(self.notifications):
                if message["method"] == method:
                    del self.notifications[i]
                    return message["params"]
            message = self.receive()
            assert message is not None, "the server is gone"
            (self.requests if "id" in message else self.notifications).append(message)

    def start(self, root, **capabilities):
        answer = self.request("initialize", processId=None, rootUri="file://" + root if root else None, capabilities=capabilities)
        self.notify("initialized")
        return answer["result"]

    def open(self, path, text=None, uri=None):
        uri = uri or "file://" + path
        text = open(path).read() if text is None else text
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "c", "version": 1, "text": text})
        return uri

    def lenses(self, uri):
        return self.request("textDocument/codeLens", textDocument={"uri": uri})["result"]

    def hover(self, uri, line, character):
        return self.request("textDocument/hover", textDocument={"uri": uri},
                            position={"line": line, "character": character})["result"]

    def close(self, status=0):
        if status == 0:
            assert self.request("shutdown")["result"] is None
        self.notify("exit")
        self.server.stdin.close()
        while (message := self.receive()) is not None:  # what the server said by itself before
            assert "method" in message, message
        assert self.server.wait(60) == status, self.server.returncode
