"""Computations of rows of lists: needs nothing but the standard library."""
import contextlib
import io
import math
import pickle
import unittest
import warnings
from decimal import Decimal
from fractions import Fraction
from unittest.mock import patch

import quantd
import quantd.rows

STRIKES = [80 + row / 2 for row in range(100)]
OPTION = dict(spot=100, risk_free_rate=0.05, volatility=0.2, time_to_maturity=1)


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = quantd.Client()

    def spent_by(self, action):
        before = self.client.credits()["spent"]
        action()
        return self.client.credits()["spent"] - before

    def sent_by(self, action):
        """The columns of each request."""
        sent, encode = [], quantd.rows.arrow.encode

        def kept(columns, scalars):
            sent.append({**scalars, **columns})
            return encode(columns, scalars)

        with patch("quantd.rows.arrow.encode", kept):
            action()
        return sent

    def test_a_list_gives_a_list_of_floats(self):
        prices = self.client.black_scholes_price(strike=STRIKES, **OPTION)
        self.assertEqual({type(one) for one in prices}, {float})
        self.assertEqual(len(prices), 100)

    def test_each_row_has_the_bits_of_the_single_call(self):
        types = ["call", "put"] * 50
        prices = self.client.black_scholes_price(strike=STRIKES, option_type=types, **OPTION)
        for row in (0, 1, 42, 43, 98, 99):
            single = self.client.black_scholes_price(strike=STRIKES[row], option_type=types[row], **OPTION)
            self.assertEqual(prices[row].hex(), single.hex())

    def test_an_operation_with_several_results_gives_a_tuple_of_lists(self):
        greeks = self.client.black_scholes_greeks(strike=STRIKES, **OPTION)
        self.assertIsInstance(greeks, quantd.BlackScholesGreeks)
        self.assertEqual(greeks.delta[50], self.client.black_scholes_greeks(strike=105.0, **OPTION).delta)

    def test_a_row_costs_one_credit_and_the_same_rows_again_cost_nothing(self):
        strikes = [one + 0.125 for one in STRIKES]

        def call():
            self.client.black_scholes_price(strike=strikes, **OPTION)

        self.assertEqual(self.spent_by(call), 100)
        self.assertEqual(self.spent_by(call), 0)
        self.assertTrue(self.client.standing.replayed)

    def test_rows_with_a_missing_value_stay_nan_and_say_so_once(self):
        strikes = [100, math.nan, 105, None]
        with self.assertWarnsRegex(quantd.MissingRowsWarning, "2 of 4 rows, the first at 1, have") as caught:
            prices = self.client.black_scholes_price(strike=strikes, **OPTION)
        self.assertEqual((caught.filename, len(caught.warnings)), (__file__, 1))
        self.assertEqual([math.isnan(one) for one in prices], [False, True, False, True])
        rows = caught.warning.rows
        self.assertEqual(
            [(one.row, one.message) for one in rows], [(1, "strike is missing."), (3, "strike is missing.")]
        )
        self.assertIn("strike is missing", str(caught.warning))

    def test_rows_that_are_all_missing_are_not_sent(self):
        def call():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", quantd.MissingRowsWarning)
                sent = self.sent_by(lambda: self.client.logarithmic_utility([None, math.nan]))
            self.assertEqual(sent, [])

        self.assertEqual(self.spent_by(call), 0)

    def test_no_rows_give_no_rows(self):
        self.assertEqual(self.client.black_scholes_price(strike=[], **OPTION), [])

    def test_a_refused_row_is_named_and_the_others_are_computed_and_charged(self):
        wealth = [1, 2, -3, 4]

        def call():
            with self.assertWarnsRegex(quantd.RefusedRowsWarning, "^1 of 4 rows, at 2, has no result: ") as caught:
                utility = self.client.logarithmic_utility(wealth).utility
            self.assertEqual([one for one in utility if one == one], [math.log(one) for one in (1, 2, 4)])
            self.assertEqual([(one.row, one.label) for one in caught.warning.rows], [(2, 2)])
            self.assertIn("wealth must be greater than 0", caught.warning.rows[0].message)

        self.assertEqual(self.spent_by(call), 3)

    def test_an_infinite_value_is_a_refused_row(self):
        for value in (math.inf, 10**400, Fraction(-(10**400)), Decimal("1e400")):
            with self.assertWarnsRegex(quantd.RefusedRowsWarning, "wealth must be a finite number"):
                utility = self.client.logarithmic_utility([1, value, 2.5]).utility
            self.assertEqual([math.isnan(one) for one in utility], [False, True, False])

    def test_a_refused_row_is_an_error_where_the_client_is_told_to_raise(self):
        client = self.client.with_options(refused="raise")
        with self.assertRaisesRegex(quantd.RowsRefusedError, "1 of 2 rows, at 1,") as caught:
            client.logarithmic_utility([1, -1])
        self.assertEqual(caught.exception.rows[0].row, 1)
        self.assertEqual(caught.exception.result.utility[0], 0)
        handed_over = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(handed_over), handed_over.rows), (str(caught.exception), caught.exception.rows))

    def test_a_call_of_refused_rows_alone_is_an_invalid_input(self):
        with self.assertRaises(quantd.InvalidInputError):
            self.client.logarithmic_utility([-1, -2])
        with self.assertRaisesRegex(quantd.InvalidInputError, "option_type"):
            self.client.black_scholes_price(strike=STRIKES, option_type="cal", **OPTION)

    def test_lists_of_unequal_length_are_refused(self):
        with self.assertRaisesRegex(ValueError, "volatility has 1 values but strike has 2"):
            self.client.black_scholes_price(**{**OPTION, "strike": [1, 2], "volatility": [0.1]})

    def test_items_that_are_neither_numbers_nor_strings_are_refused(self):
        for wealth in ([1, {}], [1, [2]], [1, 2j]):
            with self.assertRaisesRegex(TypeError, "wealth has a (dict|list|complex); it takes numbers"):
                self.client.logarithmic_utility(wealth)

    def test_a_column_of_one_value_is_sent_as_this_value(self):
        client = self.client.with_options()
        columns = dict(spot=[100.0] * 3, strike=[1, 2, 3], option_type=["put"] * 3)
        (sent,) = self.sent_by(lambda: client.black_scholes_price(**{**OPTION, **columns}))
        self.assertEqual((sent["spot"], sent["strike"], sent["option_type"]), (100.0, [1, 2, 3], "put"))
        (sent,) = self.sent_by(lambda: client.logarithmic_utility([5, 5]))
        self.assertEqual(sent["wealth"], [5, 5])

    def test_many_rows_are_sent_in_pieces_and_stay_in_order(self):
        client = self.client.with_options(rows_per_request=7)
        wealth = [1 + row / 8 for row in range(100)]
        sent = self.sent_by(lambda: client.logarithmic_utility(wealth))
        self.assertEqual(len(sent), 15)
        self.assertEqual(
            client.logarithmic_utility(wealth).utility, self.client.logarithmic_utility(wealth).utility
        )

    def test_missing_and_refused_rows_in_many_pieces_keep_their_places(self):
        client = self.client.with_options(rows_per_request=3)
        wealth = [1.0, None, 2, -1, None, 3, -2, -3, -4, 4]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            utility = client.logarithmic_utility(wealth).utility
        self.assertEqual([row for row, one in enumerate(utility) if math.isnan(one)], [1, 3, 4, 6, 7, 8])
        self.assertEqual(utility[9], math.log(4))
        self.assertEqual(len(caught), 2)
        self.assertEqual([one.row for one in caught[1].message.rows], [3, 6, 7, 8])

    def test_pieces_of_refused_rows_alone_do_not_hide_the_others(self):
        client = self.client.with_options(rows_per_request=2)
        with self.assertWarns(quantd.RefusedRowsWarning) as caught:
            utility = client.logarithmic_utility([-1, -2, 1, 2]).utility
        self.assertEqual(utility[2:], [0.0, math.log(2)])
        self.assertEqual([one.row for one in caught.warning.rows], [0, 1])
        self.assertEqual(caught.warning.rows[1].message, "wealth must be greater than 0.")
        with self.assertRaises(quantd.InvalidInputError):
            client.logarithmic_utility([-1, -2, -3])
        with self.assertWarns(quantd.RefusedRowsWarning) as caught:
            client.black_scholes_implied_volatility(
                **dict(spot=90, strike=55, risk_free_rate=-0.01, option_type="put"),
                price=[5, 6, 5, 6],
                time_to_maturity=[1e22, 1e22, 1, 1],
            )
        self.assertRegex(caught.warning.rows[0].message, "^The no-arbitrage bounds or the implied volatility are ")

    def test_a_piece_that_is_too_large_for_the_service_is_halved(self):
        wealth = [math.pi + row for row in range(10)]
        encode = quantd.rows.arrow.encode

        def large(columns, scalars):
            rows = len(columns["wealth"])
            # Over the limit of the service, 16 MiB.
            return encode(columns, scalars) if rows <= 3 else bytes(17_000_000)

        with patch("quantd.rows.arrow.encode", large):
            utility = self.client.logarithmic_utility(wealth).utility
        self.assertEqual(utility, [math.log(one) for one in wealth])

    def test_rows_of_too_much_work_for_one_request_are_sent_in_several(self):
        option = dict(spot=90, strike=100, risk_free_rate=-0.01, dividend_yield=-0.02, time_to_maturity=1)
        volatility = self.client.american_implied_volatility(**option, option_type="put", price=[10] * 200)
        self.assertEqual(volatility, [0] * 200)

    def test_the_progress_of_a_call_of_pieces_is_shown_where_it_is_wanted(self):
        client = self.client.with_options(rows_per_request=4, progress=True)
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            client.logarithmic_utility([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        self.assertIn("economics/utility/log: 10 of 10 rows (100 %)\n", printed.getvalue())
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            client.with_options(progress=None).logarithmic_utility([1, 2, 3, 4, 5, 6])
            client.logarithmic_utility([1, 2])
        self.assertEqual(printed.getvalue(), "")
