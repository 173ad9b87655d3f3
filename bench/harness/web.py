"""HTTP for preparing a run and for looking at single answers. Load comes from wrk, not from here."""

import json
import socket


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


def request_bytes(method, path, body=None, headers=None):
    payload = b"" if body is None else (body if isinstance(body, bytes) else json.dumps(body).encode())
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if payload:
        lines.append("Content-Type: application/json")
    if body is not None or method != "GET":
        lines.append(f"Content-Length: {len(payload)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + payload


class Connection:
    """One kept connection. Requests may be sent before the answers of others are read."""

    def __init__(self, port, seconds=60):
        self.socket = socket.create_connection(("127.0.0.1", port), seconds)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def close(self):
        self.socket.close()

    def send(self, raw):
        self.socket.sendall(raw)

    def receive(self):
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        size = int(headers.get("content-length", 0))
        while len(self.buffer) < size:
            self._more()
        body, self.buffer = self.buffer[:size], self.buffer[size:]
        return Answer(int(lines[0].split()[1]), headers, body)

    def _more(self):
        got = self.socket.recv(65536)
        if not got:
            raise ConnectionError("the server closed the connection")
        self.buffer += got

    def ask(self, method, path, body=None, headers=None):
        self.send(request_bytes(method, path, body, headers))
        return self.receive()


def ask(port, method, path, body=None, headers=None, seconds=60):
    connection = Connection(port, seconds)
    try:
        return connection.ask(method, path, body, headers)
    finally:
        connection.close()


def answers(port, method, path):
    """Whether anything answers 200 there yet."""
    try:
        return ask(port, method, path, seconds=5).status == 200
    except (OSError, ConnectionError):
        return False


def burst(port, requests, connections=256):
    """Sends many requests, `connections` of them at a time; yields the answers in order."""
    open_ones = [Connection(port) for _ in range(min(connections, len(requests)))]
    try:
        for at in range(0, len(requests), len(open_ones)):
            part = requests[at:at + len(open_ones)]
            for connection, raw in zip(open_ones, part):
                connection.send(raw)
            for connection, _ in zip(open_ones, part):
                yield connection.receive()
    finally:
        for connection in open_ones:
            connection.close()
