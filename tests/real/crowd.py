# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that ask a server at once, each in a thread; what they ask is in the program that imports this."""
import sys
import threading


def run_clients(clients, session):
    """Exit status: 1 if something failed. session() is one client's; it yields what is wrong with each answer that is not a success."""
    faults = []

    def be_client():
        try:
            faults.extend(session())
        except OSError as error:
            faults.append(error)

    threads = [threading.Thread(target=be_client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        print(f"{len(faults)} answers are not a success, the first: {faults[0]!r}", file=sys.stderr)
    return 1 if faults else 0
