"""Computes DataFrames by quantd and its peers: frame_client.py URL KEY PEER_HOST PEER_PORT; a line of input is "WORK ROWS SEED"."""

import http.client
import json
import sys
import time

import numpy as np
import pandas as pd
import quantd

try:
    import sklearn
    from sklearn.ensemble import IsolationForest
except ImportError:
    sklearn = None

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


def table(rows, seed):
    return pd.DataFrame(np.random.default_rng(seed).normal(0, 1, (rows, 10)), columns=list("abcdefghij"))


def forest(features):
    return client.isolation_forest(features).anomaly_scores


def sklearn_forest(features):
    # 100 trees of 256 rows, as the service grows.
    model = IsolationForest(n_estimators=100, max_samples=256, n_jobs=1, random_state=1).fit(features)
    return pd.Series(-model.score_samples(features), index=features.index)


WORK = {
    "ours": (frame, ours),
    "peer": (frame, peer),
    "forest": (table, forest),
    "sklearn": (table, sklearn_forest),
}

print(f"{sys.version.split()[0]}|{pd.__version__}|{sklearn.__version__ if sklearn else ''}", flush=True)
for line in sys.stdin:
    work, rows, seed = line.split()
    make, compute = WORK[work]
    data = make(int(rows), int(seed))
    started = time.perf_counter()
    results = compute(data)
    spent = time.perf_counter() - started
    assert results.index.equals(data.index)
    print(1e3 * spent, results.sum(), flush=True)
