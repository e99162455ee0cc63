#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients of a RADIUS server on this machine, each a thread that asks for access, waits for the answer, and asks again.

radius.py PORT SECRET CLIENTS REQUESTS: that many requests each. Exit status 1 if an answer is not an Access-Accept."""
import hashlib
import os
import socket
import struct
import sys

from crowd import run_clients

ACCESS_REQUEST, ACCESS_ACCEPT, USER_NAME, USER_PASSWORD = 1, 2, 1, 2


def attribute(number, value):
    return struct.pack("BB", number, 2 + len(value)) + value


def request(identifier, secret):
    """RFC 2865: the password is hidden behind a digest of the secret and the authenticator."""
    authenticator = os.urandom(16)
    pad = hashlib.md5(secret + authenticator).digest()
    hidden = bytes(a ^ b for a, b in zip(b"password".ljust(16, b"\0"), pad))
    body = attribute(USER_NAME, b"user") + attribute(USER_PASSWORD, hidden)
    return struct.pack(">BBH", ACCESS_REQUEST, identifier, 20 + len(body)) + authenticator + body


def ask(port, secret, identifier):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.connect(("127.0.0.1", port))
        connection.settimeout(60)
        connection.send(request(identifier % 256, secret))
        return connection.recv(4096)[0]


def main():
    port, secret, clients, requests = int(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[3]), int(sys.argv[4])

    def session():
        for number in range(requests):
            code = ask(port, secret, number)
            if code != ACCESS_ACCEPT:
                yield f"code {code}"

    return run_clients(clients, session)


if __name__ == "__main__":
    sys.exit(main())
