"""The peers of analytics.ts: runs what it is asked for on standard input, answers milliseconds and a checksum."""
import sys
import time

try:
    import numpy as np
    import sklearn
    from sklearn.ensemble import IsolationForest
    from sklearn.metrics import auc, roc_curve
except ImportError:
    print("absent")
    sys.exit()

folder = sys.argv[1]
labels = np.fromfile(f"{folder}/labels", dtype=np.uint8).astype(np.int64)
scores = np.fromfile(f"{folder}/scores")
table = np.fromfile(f"{folder}/table").reshape(-1, 10)


def discrimination():
    false_positives, true_positives, _ = roc_curve(labels, scores)
    area = auc(false_positives, true_positives)
    return area, 2 * area - 1, np.max(np.abs(true_positives - false_positives))


def zscore():
    return (np.abs((table - table.mean(axis=0)) / table.std(axis=0)) > 3).any(axis=1).sum()


def iqr():
    first, third = np.percentile(table, [25, 75], axis=0)
    reach = 3 * (third - first)
    return ((table < first - reach) | (table > third + reach)).any(axis=1).sum()


def mad():
    distances = np.abs(table - np.median(table, axis=0))
    return (0.6745 * distances / np.median(distances, axis=0) > 3).any(axis=1).sum()


def forest():
    model = IsolationForest(n_estimators=100, n_jobs=1, random_state=1).fit(table)
    return -model.score_samples(table).mean()


def projection(name):
    counts = np.fromfile(f"{folder}/{name}").reshape(100, 100)

    def run():
        totals = counts.sum(axis=1, keepdims=True)
        once = np.where(totals > 0, counts / np.where(totals > 0, totals, 1), np.eye(100))
        return np.linalg.matrix_power(once, 1000)[0, 57]

    return run


contests = {
    "discrimination": lambda: discrimination()[0],
    "zscore": zscore,
    "iqr": iqr,
    "mad": mad,
    "forest": forest,
    "dense": projection("dense"),
    "notches": projection("notches"),
}

print(f"ready numpy {np.__version__}, scikit-learn {sklearn.__version__}", flush=True)
for line in sys.stdin:
    contest = contests[line.strip()]
    started = time.perf_counter()
    answer = contest()
    print((time.perf_counter() - started) * 1000, answer, flush=True)
