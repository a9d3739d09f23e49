"""Arrays of numpy and data frames of pandas: the results are of the same kind and have the same index."""
import contextlib
import io
import unittest
import warnings

import numpy as np
import pandas as pd

import quantd
import quantd.frames


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = quantd.Client()
        cls.table = pd.DataFrame(
            {"a": [1, 1.1, 0.9, 1, 8], "b": [2, 2.1, 1.9, 2.1, 9]}, index=list("vwxyz")
        )

    def test_results_per_row_of_a_frame_are_series_with_its_index(self):
        found = self.client.isolation_forest(self.table, contamination=0.2)
        pd.testing.assert_index_equal(found.anomaly_scores.index, self.table.index)
        self.assertEqual(found.predictions.dtype, "int64")
        self.assertEqual(found.predictions["z"], -1)
        self.assertIs(type(found.threshold), float)

    def test_results_per_row_of_an_array_are_arrays(self):
        found = self.client.outlier_detection(self.table.to_numpy(), method="iqr", threshold=1.5)
        np.testing.assert_array_equal(found.outliers, np.array([False, False, False, False, True]))
        np.testing.assert_array_equal(found.outlier_indices, [4])

    def test_an_array_a_frame_and_lists_have_the_same_scores(self):
        scores = [
            list(self.client.isolation_forest(table).anomaly_scores)
            for table in (self.table, self.table.to_numpy(), self.table.values.tolist())
        ]
        self.assertEqual(scores[0], scores[1])
        self.assertEqual(scores[0], scores[2])

    def test_missing_rows_of_a_frame_are_missing_in_the_results(self):
        table = self.table.copy()
        table.loc["w", "b"] = np.nan
        with self.assertWarnsRegex(quantd.MissingRowsWarning, "1 of 5 rows, the first at w,"):
            found = self.client.isolation_forest(table, contamination=0.25)
        self.assertTrue(pd.isna(found.anomaly_scores["w"]))
        self.assertTrue(pd.isna(found.predictions["w"]))
        self.assertEqual(found.predictions["z"], -1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", quantd.MissingRowsWarning)
            outliers = self.client.outlier_detection(table, method="iqr", threshold=1.5).outliers
        self.assertEqual(list(table[outliers].index), ["z"])

    def test_a_frame_of_booleans_and_integers_is_a_table_of_numbers(self):
        table = pd.DataFrame({"flag": [True, False, True], "count": [1, 2, 3]})
        self.assertEqual(list(self.client.outlier_detection(table).outliers), [False] * 3)

    def test_a_matrix_comes_back_with_the_labels_of_the_frame(self):
        ratings = ["A", "B", "D"]
        counts = pd.DataFrame([[8, 1, 1], [2, 6, 2], [0, 0, 0]], index=ratings, columns=ratings)
        found = self.client.rating_migration_matrix(counts, periods=2)
        self.assertEqual(found.transition_matrix.loc["B", "A"], 0.2)
        self.assertEqual(found.multi_period_matrix.loc["D", "D"], 1)

    def test_a_matrix_of_whole_numbers_has_columns_of_floats(self):
        found = self.client.rating_migration_matrix(pd.DataFrame([[0, 3], [0, 0]])).transition_matrix
        self.assertEqual(set(found.dtypes), {np.dtype(float)})

    def test_an_accessor_passes_the_columns_that_are_arguments(self):
        frame = pd.DataFrame({"strike": [90, 110], "option_type": ["put", "call"], "volatility": 0.3, "desk": "a"}, index=["p", "c"])
        market = dict(spot=100, risk_free_rate=0.03, volatility=0.2, time_to_maturity=0.5)
        found = frame.quantd(self.client).black_scholes_price(**market)
        wanted = self.client.black_scholes_price(strike=frame.strike, option_type=frame.option_type, **market)
        pd.testing.assert_series_equal(found, wanted)

    def test_an_argument_given_by_another_name_wins_over_the_column(self):
        frame = pd.DataFrame({"spot": [1.0, 2.0], "strike": [90.0, 110.0]})
        market = dict(r=0.03, sigma=0.2, T=0.5)
        found = frame.quantd(self.client).black_scholes_price(S=100.0, **market)
        wanted = self.client.black_scholes_price(spot=100.0, strike=frame.strike, **market)
        pd.testing.assert_series_equal(found, wanted)

    def test_samples_of_different_lengths_give_a_frame_of_their_bins(self):
        expected, actual = pd.Series([1, 2, 3, 4], index=list("abcd")), np.array([2, 3, 3, 4, 4])
        found = self.client.score_stability(expected, actual, edges=(0, 2.5, 5))
        self.assertEqual(list(found.bins.expected_share), [0.5, 0.5])
        self.assertIsNone(found.information_value)
        labels = {"expected_y_true": [0, 1, 1, 0], "actual_y_true": [0, 1, 0, 1, 0], "monotone": True}
        found = self.client.score_stability(expected, actual, n_bins=2, **labels)
        self.assertIn("weight_of_evidence.actual", found.bins.columns)
        self.assertEqual(set(found.information_value), {"expected", "actual"})
        found = self.client.score_stability(expected, actual, edges=(0, 2.5, 5), expected_weights=pd.Series([3, 1, 1, 1], index=list("abcd")))
        self.assertEqual(list(found.bins.expected_share), [4 / 6, 2 / 6])

    def test_a_kept_forest_scores_a_frame_as_the_single_request_and_divides_paths_among_its_columns(self):
        fitted = self.client.isolation_forest_fit(self.table, contamination=0.2)
        self.assertIs(type(fitted.model), str)
        wanted = self.client.isolation_forest(self.table, contamination=0.2).anomaly_scores
        found = self.client.isolation_forest_score(self.table, model=fitted.model, attributions=True)
        pd.testing.assert_series_equal(found.anomaly_scores, wanted)
        self.assertEqual(list(found.attributions.columns), ["a", "b"])
        self.assertEqual(list(found.attributions.index), list("vwxyz"))
        self.assertIsNone(self.client.isolation_forest_score(self.table, model=fitted.model).attributions)

    def test_quotes_are_the_rows_of_a_frame_and_missing_values_are_absent_fields(self):
        quotes = pd.DataFrame({
            "K": [80, 90, 100, 110, 120], "T": 0.5, "price": [np.nan] * 4 + [0.8],
            "implied_volatility": [0.25, 0.235, 0.22, 0.21, np.nan]}, index=list("abcde"))
        found = self.client.variance_gamma_calibration(quotes, S=100, r=0.05)
        self.assertEqual(list(found.residuals.index), list("abcde"))
        lists = [{key: value for key, value in row.items() if value == value} for row in quotes.to_dict("records")]
        same = self.client.variance_gamma_calibration(lists, S=100, r=0.05)
        self.assertEqual((same.sigma, same.residuals), (found.sigma, list(found.residuals)))
        with self.assertRaisesRegex(ValueError, "DataFrame or a list of dictionaries"):
            self.client.variance_gamma_calibration([1, 2, 3], S=100, r=0.05)

    def test_results_that_are_absent_are_none_and_bins_are_a_frame(self):
        found = self.client.credit_validation(pd.Series([0, 1, 0]), pd.Series([0.1, 0.9, 0.2]), n_bins=2)
        self.assertIsNone(found.auc_standard_error)
        self.assertEqual(list(found.bins["count"]), [2, 1])

    def test_labels_may_be_booleans_integers_or_floats_of_numpy_and_pandas(self):
        truth = [0, 0, 1, 1]
        score = np.array([0.1, 0.4, 0.35, 0.8])
        labels = [
            np.array(truth, dtype=bool),
            np.array(truth, dtype=np.int8),
            np.array(truth, dtype=np.uint64),
            np.array(truth, dtype=np.float32),
            pd.Series(truth, dtype="boolean"),
            pd.Series(truth, dtype="Int64"),
            [np.bool_(one) for one in truth],
            [np.int32(one) for one in truth],
        ]
        for one in labels:
            self.assertEqual(self.client.credit_discrimination(one, score).auc_roc, 0.75)

    def test_pairs_with_a_missing_label_or_score_are_left_out(self):
        truth = pd.Series([False, False, None, True, True], dtype="boolean")
        score = np.array([0.1, 0.4, 9, 0.35, 0.8])
        with self.assertWarnsRegex(quantd.MissingRowsWarning, "1 of 5 rows, the first at 2,"):
            found = self.client.credit_discrimination(truth, score)
        self.assertEqual(found.auc_roc, 0.75)

    def test_numbers_of_numpy_are_scalars(self):
        price = self.client.black_scholes_price(
            spot=np.float32(100),
            strike=np.int64(105),
            risk_free_rate=np.array(0.05),
            volatility=np.longdouble("0.2"),
            time_to_maturity=np.uint8(1),
            dividend_yield=np.float64(0),
        )
        self.assertIs(type(price), float)
        self.assertEqual(price, 8.021352235143173)
        with self.assertRaisesRegex(TypeError, "wealth has a complex128; it takes numbers"):
            self.client.logarithmic_utility(np.complex128(1))


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = quantd.Client()
        cls.chain = pd.DataFrame(
            {
                "spot": 100.0,
                "strike": [90.0, 100, 110, 120],
                "volatility": [0.25, 0.2, 0.18, 0.19],
                "option_type": ["put", "call", "call", "call"],
            },
            index=pd.Index(["p90", "c100", "c110", "c120"], name="contract"),
        )
        cls.market = dict(risk_free_rate=0.03, time_to_maturity=0.5)

    def test_a_series_gives_a_series_with_its_index(self):
        price = self.client.black_scholes_price(**self.chain, **self.market)
        pd.testing.assert_index_equal(price.index, self.chain.index)
        self.assertEqual((price.name, price.dtype), ("price", "float64"))
        row = self.chain.loc["c110"]
        self.assertEqual(price["c110"], self.client.black_scholes_price(**row, **self.market))

    def test_several_results_of_series_are_a_frame(self):
        greeks = self.client.black_scholes_greeks(**self.chain, **self.market)
        self.assertEqual(list(greeks.columns), ["delta", "gamma", "vega", "theta", "rho", "vanna", "volga", "zomma", "charm", "color", "speed"])
        pd.testing.assert_index_equal(greeks.index, self.chain.index)
        joined = self.chain.join(greeks)
        self.assertLess(joined.loc["p90", "delta"], 0)

    def test_an_array_gives_an_array_of_its_shape(self):
        strikes = self.chain["strike"].to_numpy()
        prices = self.client.black_scholes_price(spot=100, strike=strikes, volatility=0.2, **self.market)
        self.assertEqual((type(prices), prices.dtype, prices.shape), (np.ndarray, np.dtype(float), (4,)))
        maturities = np.array([[0.25], [0.5], [1.0]])
        surface = self.client.black_scholes_price(
            spot=100, strike=strikes, volatility=0.2, risk_free_rate=0.03, time_to_maturity=maturities
        )
        self.assertEqual(surface.shape, (3, 4))
        np.testing.assert_array_equal(surface[1], prices)

    def test_series_beside_arrays_and_lists_of_the_same_length(self):
        prices = self.client.black_scholes_price(
            spot=self.chain["spot"],
            strike=list(self.chain["strike"]),
            volatility=self.chain["volatility"].to_numpy(dtype=np.float32),
            **self.market,
        )
        pd.testing.assert_index_equal(prices.index, self.chain.index)

    def test_series_with_different_indexes_are_refused(self):
        strike = self.chain["strike"].reset_index(drop=True)
        with self.assertRaisesRegex(ValueError, "spot and strike have different indexes .only one has 'p90'.; align them first"):
            self.client.black_scholes_price(
                spot=self.chain["spot"], strike=strike, volatility=0.2, **self.market
            )

    def test_a_whole_frame_and_dates_are_refused(self):
        with self.assertRaisesRegex(TypeError, "wealth is a DataFrame; pass one of its columns"):
            self.client.logarithmic_utility(self.chain)
        days = pd.date_range("2026-01-01", periods=2)
        for dates in (pd.Series(days), days.to_numpy()):
            with self.assertRaisesRegex(TypeError, "wealth has (a Timestamp|the type datetime64)"):
                self.client.logarithmic_utility(dates)

    def test_missing_rows_are_named_by_their_labels(self):
        chain = self.chain.copy()
        chain.loc["c100", "volatility"] = np.nan
        chain.loc["c120", "option_type"] = None
        with self.assertWarnsRegex(quantd.MissingRowsWarning, "2 of 4 rows, the first at c100, have") as caught:
            price = self.client.black_scholes_price(**chain, **self.market)
        self.assertEqual(list(price.index[price.isna()]), ["c100", "c120"])
        self.assertEqual(
            [(one.label, one.message) for one in caught.warning.rows],
            [("c100", "volatility is missing."), ("c120", "option_type is missing.")],
        )

    def test_masked_arrays_and_the_na_of_pandas_miss_their_rows(self):
        for wealth in (
            np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False]),
            pd.array([1, pd.NA, 3], dtype="Int64"),
            pd.Series([1, None, 3], dtype="Float64"),
        ):
            with self.assertWarnsRegex(quantd.MissingRowsWarning, "1 of 3 rows, at 1, has") as caught:
                utility = self.client.logarithmic_utility(wealth).utility
            self.assertEqual([bool(one) for one in pd.isna(utility)], [False, True, False])
            self.assertEqual([one.message for one in caught.warning.rows], ["wealth is missing."])

    def test_refused_rows_are_named_by_their_labels(self):
        chain = self.chain.copy()
        chain.loc["c110", "strike"] = -1
        with self.assertWarnsRegex(quantd.RefusedRowsWarning, "1 of 4 rows, at c110, has no result") as caught:
            price = self.client.black_scholes_price(**chain, **self.market)
        self.assertEqual(list(price.index[price.isna()]), ["c110"])
        self.assertEqual([(one.row, one.label) for one in caught.warning.rows], [(2, "c110")])

    def test_types_of_pandas_and_numpy_are_numbers(self):
        expected = list(self.client.logarithmic_utility([1, 2, 3]).utility)
        for wealth in (
            pd.Series([1, 2, 3], dtype="Int64"),
            pd.Series([1, 2, 3], dtype="float32"),
            pd.Series([1, 2, 3], dtype="object"),
            pd.Series([1, 2, 3], dtype="category"),
            np.array([1, 2, 3], dtype=np.uint8),
            np.array([1, 2, 3], dtype=object),
        ):
            # A column of a frame, or a field of a tuple.
            self.assertEqual(list(self.client.logarithmic_utility(wealth).utility), expected)
        with self.assertWarns(quantd.MissingRowsWarning):
            utility = self.client.logarithmic_utility(pd.Series([1, None, 3], dtype="Int64"))["utility"]
        self.assertEqual(list(utility.isna()), [False, True, False])

    def test_no_rows_give_no_rows(self):
        price = self.client.black_scholes_price(**self.chain.iloc[:0], **self.market)
        self.assertEqual((len(price), price.dtype), (0, "float64"))
        self.assertEqual(self.client.logarithmic_utility(np.array([])).utility.shape, (0,))

    def test_a_bar_of_tqdm_shows_the_progress_where_it_is_installed(self):
        client = self.client.with_options(rows_per_request=4, progress=True)
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            client.logarithmic_utility(np.arange(1, 11))
        self.assertRegex(printed.getvalue(), r"economics/utility/log: 100%.*10\.0/10\.0")
