"""Arrays of numpy and data frames of pandas: the results are of the same kind and have the same index."""
import unittest
import warnings

import numpy as np
import pandas as pd

import quantd


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
            volatility=np.float64(0.2),
            time_to_maturity=np.uint8(1),
        )
        self.assertIs(type(price), float)
        self.assertEqual(price, 8.021352235143173)
