"""A run of 100 pieces: run_of_pieces.py ROWS [FILE]. With FILE it reports its middle, and waits near its end until FILE exists."""
import itertools
import json
import os
import sys
import time

import quantd

PIECES, MIDDLE, NEAR_END = 100, 40, 60

rows, *file = sys.argv[1:]
rows = int(rows)
client = quantd.Client(rows_per_request=rows, retries=0 if file else 5, timeout=60)
if file:
    started, send = itertools.count(1), client._exactly_once

    def watched(*request):
        number = next(started)
        if number == MIDDLE:
            print("middle", flush=True)
        deadline = time.monotonic() + 120
        while number >= NEAR_END and not os.path.exists(file[0]) and time.monotonic() < deadline:
            time.sleep(0.01)
        return send(*request)

    client._exactly_once = watched

wealth = [1 + row / 1000 for row in range(rows * PIECES)]
utility = client.logarithmic_utility(wealth).utility
print(json.dumps({"utility": utility, "spent": client.credits()["spent"]}))
