"""Labels of pandas are data: every method gives the same results, by label, for permuted rows, columns and indexes."""
import inspect
import unittest

import numpy as np
import pandas as pd

import quantd
import quantd.frames
from quantd.computations import Computations

ROWS = list("vwxyz")
SHUFFLED = list("ywzvx")
RATINGS = ["A", "B", "D"]


def column(*values):
    return pd.Series(values, index=ROWS)


SPOT = column(100.0, 101, 99, 100, 102)
STRIKE = column(90.0, 100, 110, 95, 105)
RATE = column(0.03, 0.02, 0.01, 0.04, 0.05)
YEARS = column(0.5, 1, 2, 0.25, 1.5)
VOLATILITY = column(0.2, 0.25, 0.3, 0.15, 0.4)
YIELD = column(0.01, 0, 0.02, 0.03, 0.015)
KIND = column("put", "call", "call", "put", "call")
TRUTH = column(0, 1, 0, 1, 1)
PROBABILITY = column(0.1, 0.6, 0.3, 0.4, 0.9)
WEIGHT = column(1.0, 2, 3, 4, 5)
OPTION = dict(strike=STRIKE, risk_free_rate=RATE, time_to_maturity=YEARS, option_type=KIND)
STOCK = dict(OPTION, spot=SPOT, dividend_yield=YIELD)
FORWARD = dict(OPTION, forward=SPOT)
GAMMA = dict(S=SPOT, K=STRIKE, T=YEARS, r=RATE, sigma=VOLATILITY, theta_vg=column(-0.1, -0.2, 0, 0.1, -0.14), nu=YEARS / 10, q=YIELD)
TABLE = pd.DataFrame({"a": [1, 1.1, 0.9, 1, 8], "b": [2.3, 2.1, 1.9, 2.2, 9], "c": [5.0, 4, 3, 2, 1]}, index=ROWS)
COUNTS = pd.DataFrame([[8, 1, 1], [2, 6, 2], [0, 0, 5]], index=RATINGS, columns=RATINGS)

#: Arguments by method. Series in one group stand for the same rows.
BY_ROW = {
    "variance_gamma_price": GAMMA,
    "variance_gamma_greeks": dict(GAMMA, option_type=KIND),
    "black_scholes_price": dict(STOCK, volatility=VOLATILITY),
    "black_scholes_greeks": dict(STOCK, volatility=VOLATILITY),
    "black_scholes_implied_volatility": dict(STOCK, price=column(1.0, 12, 14, 2, 20)),
    "numerical_derivative": dict(func_name=column("sin", "cos", "exp", "log", "x2"), x=YEARS, h=YEARS / 1000, method=column("central", "forward", "backward", "central", "forward")),
    "logarithmic_utility": dict(wealth=SPOT),
    "american_price": dict(STOCK, volatility=VOLATILITY),
    "american_implied_volatility": dict(STOCK, price=column(1.0, 12, 14, 2, 20)),
    "forward_option_price": dict(FORWARD, volatility=VOLATILITY, model=column(*["black_76"] * 4, "bachelier")),
    "forward_option_greeks": dict(FORWARD, volatility=VOLATILITY, model="black_76"),
    "forward_option_implied_volatility": dict(FORWARD, price=column(1.0, 12, 14, 2, 20), model="black_76"),
}
VECTORS = {
    "credit_discrimination": [dict(y_true=TRUTH, y_score=PROBABILITY)],
    "credit_validation": [dict(y_true=TRUTH, y_prob=PROBABILITY, weights=WEIGHT)],
    "score_stability": [
        dict(expected=PROBABILITY, expected_y_true=TRUTH, expected_weights=WEIGHT),
        dict(actual=PROBABILITY / 2, actual_y_true=1 - TRUTH, actual_weights=WEIGHT),
    ],
    "shannon_entropy": [dict(probabilities=column(0.1, 0.2, 0.3, 0.25, 0.15))],
}
#: Each has a test of its own.
OF_TABLES = [
    *["outlier_detection", "isolation_forest", "isolation_forest_fit", "isolation_forest_score"],
    *["rating_migration_matrix", "rating_migration_generator", "american_exercise_boundary", "variance_gamma_calibration"],
    "rating_history",
]


def relabelled(series):
    return series.rename(index={"x": "other"})


def plain(result):
    """What two results are compared by."""
    if isinstance(result, (pd.Series, pd.DataFrame)):
        return result.sort_index()
    return [one.to_dict() if hasattr(one, "to_dict") else one for one in result] if isinstance(result, tuple) else result


class Labels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = quantd.Client()

    def assert_same(self, found, wanted):
        if isinstance(wanted, pd.DataFrame):
            pd.testing.assert_frame_equal(found, wanted)
        elif isinstance(wanted, pd.Series):
            pd.testing.assert_series_equal(found, wanted)
        else:
            self.assertEqual(plain(found), plain(wanted))

    def test_every_method_is_in_a_test_of_this_file(self):
        methods = [name for name, one in inspect.getmembers(Computations, inspect.isfunction) if "/quantlib/" in (one.__doc__ or "")]
        self.assertEqual(sorted(methods), sorted([*BY_ROW, *VECTORS, *OF_TABLES]))

    def test_rows_are_paired_by_the_labels_of_all_arguments(self):
        for name, given in BY_ROW.items():
            call = getattr(self.client, name)
            wanted = call(**given)
            series = [one for one in inspect.signature(call).parameters if isinstance(given.get(one), pd.Series)]
            with self.subTest(name):
                self.assertEqual(list(wanted.index), ROWS)
                permuted = {one: given[one][SHUFFLED] for one in series}
                turned = call(**{**given, **permuted})
                self.assertEqual(list(turned.index), SHUFFLED)
                self.assert_same(turned.loc[ROWS], wanted)
            for one in series[1:]:
                with self.subTest(name, permuted=one):
                    self.assert_same(call(**{**given, one: permuted[one]}), wanted)
                with self.subTest(name, relabelled=one), self.assertRaisesRegex(ValueError, f"{series[0]} and {one} have different indexes .only one has '.*'.; align them first"):
                    call(**{**given, one: relabelled(given[one])})
            if len(series) > 1:
                with self.subTest(name, permuted=series[0]):
                    first = call(**{**given, series[0]: permuted[series[0]]})
                    self.assertEqual(list(first.index), SHUFFLED)
                    self.assert_same(first.loc[ROWS], wanted)

    def test_labels_and_weights_are_paired_with_their_scores(self):
        for name, groups in VECTORS.items():
            call = getattr(self.client, name)
            given = {one: value for group in groups for one, value in group.items()}
            wanted = call(**given)
            for group in groups:
                first = next(iter(group))
                for one in group:
                    with self.subTest(name, permuted=one):
                        self.assert_same(call(**{**given, one: given[one][SHUFFLED]}), wanted)
                    if one != first:
                        with self.subTest(name, relabelled=one), self.assertRaisesRegex(ValueError, f"{first} and {one} have different indexes"):
                            call(**{**given, one: relabelled(given[one])})

    def test_arguments_of_a_batch_are_paired_by_their_labels(self):
        call = {"path": "/quantlib/ml/credit/discrimination", "body": {"y_true": TRUTH, "y_score": PROBABILITY}}
        permuted = {**call, "body": {"y_true": TRUTH, "y_score": PROBABILITY[SHUFFLED]}}
        one, other = self.client.batch([call, permuted])
        self.assertEqual(one, other)

    def test_labels_that_occur_twice_are_refused_unless_they_are_in_the_same_order(self):
        twice = TRUTH.rename({"w": "v"})
        self.client.credit_discrimination(twice, PROBABILITY.rename({"w": "v"}))
        with self.assertRaisesRegex(ValueError, "different indexes .'v' is there twice."):
            self.client.credit_discrimination(twice, PROBABILITY.rename({"w": "v"})[::-1])

    def test_outlier_detection(self):
        wanted = self.client.outlier_detection(TABLE, method="iqr", threshold=1.5).outliers
        for table in (TABLE.loc[SHUFFLED], TABLE[["c", "a", "b"]]):
            found = self.client.outlier_detection(table, method="iqr", threshold=1.5).outliers
            self.assertEqual(list(found.index), list(table.index))
            self.assertEqual(dict(found), dict(wanted))

    def test_isolation_forest(self):
        # Its random numbers depend on the order of rows and columns, but the anomaly is the same row.
        for table in (TABLE, TABLE.loc[SHUFFLED], TABLE[["c", "a", "b"]]):
            found = self.client.isolation_forest(table, contamination=0.2)
            self.assertEqual(list(found.anomaly_scores.index), list(table.index))
            self.assertEqual(dict(found.predictions), {"v": 1, "w": 1, "x": 1, "y": 1, "z": -1})

    def test_isolation_forest_score(self):
        model = self.client.isolation_forest_fit(TABLE, contamination=0.2).model
        wanted = self.client.isolation_forest_score(TABLE, model=model, attributions=True)
        by_position = self.client.isolation_forest_score(TABLE.to_numpy(), model=model).anomaly_scores
        self.assertEqual(list(by_position), list(wanted.anomaly_scores))
        for table in (TABLE.loc[SHUFFLED], TABLE[["c", "a", "b"]]):
            found = self.client.isolation_forest_score(table, model=model, attributions=True)
            self.assertEqual(list(found.anomaly_scores.index), list(table.index))
            self.assertEqual(dict(found.anomaly_scores), dict(wanted.anomaly_scores))
            self.assertEqual(list(found.attributions.columns), list(table.columns))
            self.assert_same(found.attributions.loc[ROWS, list("abc")], wanted.attributions)
        for table in (TABLE.rename(columns={"c": "d"}), TABLE.set_axis(["a", "a", "c"], axis=1)):
            with self.assertRaisesRegex(quantd.InvalidInputError, 'lacks "c", has also "d"|names "a" twice'):
                self.client.isolation_forest_score(table, model=model)
        named = self.client.isolation_forest_score(TABLE[["c", "a", "b"]].to_numpy(), model=model, columns=["c", "a", "b"])
        self.assertEqual(list(named.anomaly_scores), list(wanted.anomaly_scores))

    def test_isolation_forest_fit(self):
        numbered = TABLE.set_axis(range(3), axis=1)
        self.assertEqual(self.client.isolation_forest_fit(numbered), self.client.isolation_forest_fit(TABLE.to_numpy()))
        unnamed = self.client.isolation_forest_fit(TABLE.to_numpy()).model
        model = self.client.isolation_forest_fit(TABLE).model
        for table in (TABLE, numbered):
            scores = [self.client.isolation_forest_score(table, model=one).anomaly_scores for one in (unnamed, model)]
            self.assert_same(*scores)

    def test_rating_migration_matrix(self):
        wanted = self.client.rating_migration_matrix(COUNTS, periods=3)
        for table in (COUNTS[["D", "A", "B"]], COUNTS.loc[["B", "D", "A"]], COUNTS.loc[["D", "B", "A"], ["A", "D", "B"]]):
            found = self.client.rating_migration_matrix(table, periods=3)
            for one, other in zip(found, wanted):
                self.assertEqual(list(one.index), list(table.index))
                self.assertEqual(list(one.columns), list(table.index))
                pd.testing.assert_frame_equal(one.loc[RATINGS, RATINGS], other, rtol=1e-15)
        moves = pd.crosstab(pd.Series(list("AAB")), pd.Series(list("BDB")))
        for call in (self.client.rating_migration_matrix, self.client.rating_migration_generator):
            with self.assertRaisesRegex(ValueError, "rows and columns of transitions have different labels .only one has 'A'."):
                call(moves)
            with self.assertRaisesRegex(ValueError, "different labels"):
                call(COUNTS.iloc[:2])
        self.assertEqual(self.client.rating_migration_matrix(moves.to_numpy()).transition_matrix.shape, (2, 2))

    def test_rating_history(self):
        frame = pd.DataFrame(
            {
                "issuer": ["Alfa", "Beta", "Ceres", "Alfa", "Beta", "Ceres", "Alfa"],
                "date": pd.to_datetime(["2019-12-31", "2019-12-31", "2020-03-31", "2020-06-30", "2021-09-15", "2021-06-30", "2022-12-31"]),
                "rating": ["A", "B", "A", "B", "D", "NR", "A"],
            },
            index=list("tuvwxyz"),
        )
        given = dict(order=RATINGS, start=frame["date"].min(), end=frame["date"].max())

        def counted(entities, ratings, dates, **others):
            return self.client.rating_history(entities, ratings, **{**given, **others}, dates=dates)

        wanted = counted(frame["issuer"], frame["rating"], frame["date"])
        counts = pd.DataFrame([[0, 1, 0], [1, 2, 1], [0, 0, 0]], index=RATINGS, columns=RATINGS, dtype=float)
        pd.testing.assert_frame_equal(wanted.transitions, counts)
        self.assertEqual((wanted.entities, wanted.withdrawals, wanted.exposures), (3, 1, None))
        turned = frame.loc[list("zxvtywu")]
        for issuer, rating, date in ((turned, frame, frame), (frame, turned, frame), (frame, frame, turned), (turned, turned, turned)):
            found = counted(issuer["issuer"], rating["rating"], date["date"])
            pd.testing.assert_frame_equal(found.transitions, counts)
        other = frame.rename(index={"t": "other"})
        with self.assertRaisesRegex(ValueError, "entities and ratings have different indexes .only one has 't'"):
            counted(frame["issuer"], other["rating"], frame["date"])
        # Dates in every form, numbers and categories.
        days = [one.date() for one in frame["date"]]
        for dates in (days, [str(one) for one in days], frame["date"].to_numpy(), list(frame["date"]), frame["date"].dt.tz_localize("UTC")):
            found = self.client.rating_history(list(frame["issuer"]), list(frame["rating"]), RATINGS, start="2019-12-31", end=days[-1], dates=list(dates))
            self.assertEqual(found.transitions, counts.to_numpy().tolist())
        numbered = frame.assign(issuer=frame["issuer"].map({"Alfa": 1, "Beta": 2, "Ceres": 3}), rating=frame["rating"].astype("category"))
        pd.testing.assert_frame_equal(counted(numbered["issuer"], numbered["rating"], numbered["date"]).transitions, counts)
        named = frame.rename(columns={"issuer": "entities", "date": "dates", "rating": "ratings"}).quantd(self.client)
        pd.testing.assert_frame_equal(named.rating_history(**given).transitions, counts)
        # The counts are the input of the two methods of migration.
        matrix = self.client.rating_migration_matrix(wanted.transitions)
        self.assertEqual(matrix.transition_matrix.loc["B", "A"], 0.25)
        durations = counted(frame["issuer"], frame["rating"], frame["date"], method="duration")
        self.assertEqual(list(durations.exposures.index), RATINGS)
        rates = self.client.rating_migration_generator(durations.transitions, exposures=durations.exposures, method="duration").generator
        self.assertEqual(rates.loc["B", "D"], 1 / durations.exposures["B"])
        lacking = frame.assign(rating=frame["rating"].where(frame["rating"] != "NR"))
        with self.assertRaisesRegex(ValueError, "ratings has no value in row 5"):
            counted(lacking["issuer"], lacking["rating"], lacking["date"])
        with self.assertRaisesRegex(ValueError, "dates has no value in row 0"):
            counted(frame["issuer"], frame["rating"], frame["date"].where(frame.index != "t"))
        with self.assertRaisesRegex(quantd.InvalidInputError, 'ratings.1 is "Baa4"|ratings: .*Baa4|"Baa4"'):
            counted(frame["issuer"], frame["rating"].replace("B", "Baa4"), frame["date"])

    def test_rating_migration_generator(self):
        years = pd.Series([10.0, 20, 0], index=RATINGS)
        given = dict(exposures=years, method="duration", times=(1, 2, 5), bootstrap_samples=20)
        wanted = self.client.rating_migration_generator(COUNTS, **given)
        self.assertEqual(list(wanted.default_probabilities.index), [1, 2, 5])
        self.assertEqual(list(wanted.default_probabilities_upper.columns), RATINGS)
        for table in (COUNTS, COUNTS[["D", "A", "B"]]):
            for exposures in (years, years[["D", "B", "A"]]):
                found = self.client.rating_migration_generator(table, **{**given, "exposures": exposures})
                for one, other in zip(found, wanted):
                    self.assert_same(one, other)
        # The last row is default.
        found = self.client.rating_migration_generator(COUNTS.loc[["B", "A", "D"]], **given)
        pd.testing.assert_frame_equal(found.generator.loc[RATINGS, RATINGS], wanted.generator)
        with self.assertRaisesRegex(ValueError, "transitions and exposures have different indexes .only one has 'D'."):
            self.client.rating_migration_generator(COUNTS, **{**given, "exposures": years.rename({"D": "E"})})

    def test_american_exercise_boundary(self):
        market = dict(spot=100, strike=100, risk_free_rate=0.05, volatility=0.2, time_to_maturity=1, option_type="put")
        times = column(0.1, 0.2, 0.3, 0.4, 0.5)
        wanted = dict(zip(times, map(tuple, self.client.american_exercise_boundary(times, **market))))
        shuffled = times[SHUFFLED]
        self.assertEqual(dict(zip(shuffled, map(tuple, self.client.american_exercise_boundary(shuffled, **market)))), wanted)

    def test_variance_gamma_calibration(self):
        quotes = pd.DataFrame({"K": [80, 90, 100, 110, 120], "T": 0.5, "implied_volatility": [0.25, 0.235, 0.22, 0.21, 0.205]}, index=ROWS)
        wanted = self.client.variance_gamma_calibration(quotes, S=100, r=0.05)
        for table in (quotes.loc[SHUFFLED], quotes[["implied_volatility", "T", "K"]]):
            found = self.client.variance_gamma_calibration(table, S=100, r=0.05)
            self.assertAlmostEqual(found.sigma, wanted.sigma, delta=1e-6)
            np.testing.assert_allclose(found.residuals[ROWS], wanted.residuals, atol=1e-6)
