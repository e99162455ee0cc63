#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients of an LDAP server on this machine, and the program that its database "sock" asks.

ldap.py ask PORT CLIENTS REQUESTS: clients, each a connection on which that many searches are made one after another. Exit
    status 1 if an answer is not a success.
ldap.py answer SOCKET SECONDS: answers what slapd asks on that socket, each time after that long."""
import os
import socket
import sys
import threading
import time

from crowd import run_clients


def tlv(tag, body):
    """As BER encodes it (RFC 4511), for bodies below 128 bytes."""
    return bytes([tag, len(body)]) + body


def search(number):
    """For what is at or below cn=example, all of it."""
    zero = b"\0"
    body = tlv(4, b"cn=example") + tlv(10, zero) + tlv(10, zero) + tlv(2, zero) + tlv(2, zero) + tlv(1, zero)
    return tlv(0x30, tlv(2, number.to_bytes(2, "big")) + tlv(0x63, body + tlv(0x87, b"objectClass") + tlv(0x30, b"")))


def receive(connection):
    data = b""
    while len(data) < 2 or len(data) < 2 + data[1]:
        part = connection.recv(4096)
        if not part:
            raise OSError("the server closed the connection")
        data += part
    return data


def ask(port, clients, requests):
    def session():
        with socket.create_connection(("127.0.0.1", port), 60) as connection:
            for number in range(1, requests + 1):
                connection.sendall(search(number))
                answer = receive(connection)
                if b"\x0a\x01\x00" not in answer:  # resultCode success
                    yield answer

    return run_clients(clients, session)


def be_database(connection, seconds):
    with connection:
        request = b""
        while not request.endswith(b"\n\n"):
            part = connection.recv(4096)
            if not part:
                return
            request += part
        if not request.startswith(b"UNBIND"):
            time.sleep(seconds)
            connection.sendall(b"RESULT\ncode: 0\n\n")


def answer(path, seconds):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        os.chmod(path, 0o777)
        listener.listen(256)
        while True:
            threading.Thread(target=be_database, args=(listener.accept()[0], seconds), daemon=True).start()


if __name__ == "__main__":
    sys.exit(ask(*map(int, sys.argv[2:])) if sys.argv[1] == "ask" else answer(sys.argv[2], float(sys.argv[3])))
