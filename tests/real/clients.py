#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients of a server on this machine, each a thread that asks for a page, reads the answer, and asks again.

clients.py PORT PATH CLIENTS REQUESTS: that many requests each. Exit status 1 if an answer is not a success."""
import socket
import sys

from crowd import run_clients


def ask(port, path):
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while part := connection.recv(65536):
            answer += part
    return answer


def main():
    port, path, clients, requests = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

    def session():
        for _ in range(requests):
            answer = ask(port, path)
            if b" 200 " not in answer.split(b"\r\n")[0]:
                yield answer[:80]

    return run_clients(clients, session)


if __name__ == "__main__":
    sys.exit(main())
