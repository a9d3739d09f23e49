"""Prices a DataFrame by quantd or by FastAPI: frame_client.py URL KEY PEER_URL PEER_PORT; each line of input is "SIDE ROWS SEED"."""

import http.client
import json
import sys
import time

import numpy as np
import pandas as pd
import quantd

url, key, host, port = sys.argv[1:]
client = quantd.Client(url, key)
connection = http.client.HTTPConnection(host, int(port))


def frame(rows, seed):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "spot": 100 * np.exp(random.normal(0, 0.1, rows)),
            "strike": 100 * np.exp(random.normal(0, 0.2, rows)),
            "risk_free_rate": random.uniform(0, 0.05, rows),
            "volatility": random.uniform(0.1, 0.5, rows),
            "time_to_maturity": random.uniform(0.05, 2, rows),
            "dividend_yield": random.uniform(0, 0.03, rows),
            "option_type": random.choice(["call", "put"], rows),
        },
        index=random.permutation(rows),
    )


def ours(options):
    return client.black_scholes_price(**options)


def peer(options):
    body = json.dumps({"columns": options.to_dict("list")}, separators=(",", ":"))
    connection.request(
        "POST", "/quantlib/pricing/bs/price/columns", body, {"Content-Type": "application/json"}
    )
    reply = json.loads(connection.getresponse().read())
    return pd.Series(reply["data"]["columns"]["price"], index=options.index, name="price")


print(f"{sys.version.split()[0]}|{pd.__version__}", flush=True)
for line in sys.stdin:
    side, rows, seed = line.split()
    options = frame(int(rows), int(seed))
    started = time.perf_counter()
    prices = {"ours": ours, "peer": peer}[side](options)
    spent = time.perf_counter() - started
    assert prices.index.equals(options.index)
    print(1e3 * spent, prices.sum(), flush=True)
