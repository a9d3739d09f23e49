"""Computations of numbers, lists and tables, the account, and the errors: needs nothing but the standard library."""
import copy
import inspect
import json
import math
import multiprocessing
import pickle
import sys
import unittest
import urllib.request
import warnings

import quantd

OPTION = dict(spot=100, strike=105, risk_free_rate=0.05, volatility=0.2, time_to_maturity=1)


class Computations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = quantd.Client()

    def spent_by(self, action):
        before = self.client.credits()["spent"]
        action()
        return self.client.credits()["spent"] - before

    def test_scalars_give_a_float(self):
        price = self.client.black_scholes_price(**OPTION)
        self.assertIs(type(price), float)
        self.assertEqual(price, 8.021352235143173)

    def test_the_letters_of_formulas_are_names_of_the_arguments_too(self):
        letters = dict(S=100, K=105, r=0.05, sigma=0.2, T=1)
        self.assertEqual(self.client.black_scholes_price(**letters), 8.021352235143173)
        self.assertEqual(self.client.black_scholes_price(**letters, q=0.01, option_type="put"),
                         self.client.black_scholes_price(**OPTION, dividend_yield=0.01, option_type="put"))
        mixed = self.client.black_scholes_greeks(S=[100, 110], K=105, risk_free_rate=0.05, volatility=0.2, T=1)
        self.assertEqual(mixed.delta[0], 0.5422283335848053)
        self.assertEqual(self.client.forward_option_price(F=100, K=105, r=0.05, sigma=0.2, T=1),
                         self.client.forward_option_price(forward=100, strike=105, risk_free_rate=0.05, volatility=0.2,
                                                          time_to_maturity=1))
        with self.assertRaisesRegex(TypeError, "'spot' twice, also as 'S'"):
            self.client.black_scholes_price(**OPTION, S=100)
        with self.assertRaises(TypeError):
            self.client.black_scholes_price(**{**letters, "s": 1})

    def test_models_with_letters_take_the_words_of_the_others(self):
        own = dict(S=100, K=105, r=0.05, sigma=0.2, T=1, theta_vg=-0.14, nu=0.2, q=0.01)
        words = dict(OPTION, theta_vg=-0.14, nu=0.2, dividend_yield=0.01)
        self.assertEqual(self.client.variance_gamma_price(**words), self.client.variance_gamma_price(**own))
        quotes = [{"K": k, "T": 1, "implied_volatility": 0.2} for k in (90, 100, 110)]
        self.assertEqual(self.client.variance_gamma_calibration(quotes, spot=100, risk_free_rate=0.05),
                         self.client.variance_gamma_calibration(quotes, S=100, r=0.05))

    def test_every_argument_that_another_operation_names_otherwise_has_both_names(self):
        pairs = [("S", "spot"), ("K", "strike"), ("T", "time_to_maturity"), ("r", "risk_free_rate"),
                 ("q", "dividend_yield"), ("sigma", "volatility"), ("F", "forward")]
        for name, method in inspect.getmembers(quantd.Client, inspect.isfunction):
            parameters = inspect.signature(method).parameters
            others = getattr(method, "other_names", {})
            for letter, word in pairs:
                with self.subTest(name, letter=letter):
                    self.assertEqual(letter in parameters, others.get(word) == letter)
                    self.assertEqual(word in parameters, others.get(letter) == word)

    def test_an_operation_with_several_results_gives_a_named_tuple(self):
        greeks = self.client.black_scholes_greeks(**OPTION)
        self.assertIsInstance(greeks, quantd.BlackScholesGreeks)
        self.assertEqual(greeks.delta, 0.5422283335848053)
        delta, *_ = greeks
        self.assertEqual(delta, greeks.delta)

    def test_an_integer_in_the_reply_is_a_float_too(self):
        utility = self.client.logarithmic_utility(1)
        self.assertEqual(utility, (0.0, 1.0, 1.0, 1.0))
        self.assertEqual({type(one) for one in utility}, {float})

    def test_a_number_from_2_to_the_53_on_is_the_double_of_the_service(self):
        found = self.client.score_stability([1, 2**62], [1, 2**62], edges=[0, 2**62, 2**63])
        self.assertEqual([one["upper"] for one in found.bins], [2**62, 2**63])
        batch = self.client.batch([{"path": "/quantlib/numerical/differentiation/derivative",
                                    "body": {"func_name": "x2", "x": 2**62, "h": 2**12}}])
        self.assertEqual(batch[0]["x"], 2**62)

    def test_a_word_that_the_operation_does_not_know_is_an_invalid_input(self):
        with self.assertRaises(quantd.InvalidInputError) as caught:
            self.client.black_scholes_price(**OPTION, option_type="cal")
        error = caught.exception
        self.assertEqual((error.code, error.status), ("invalid_input", 422))
        self.assertEqual(error.details[0].path, "/option_type")
        self.assertRegex(error.request_id, r"^[0-9a-f-]{36}$")

    def test_a_batch_has_the_data_of_each_call_or_its_error(self):
        calls = [
            {"path": "/quantlib/pricing/bs/price", "body": OPTION},
            {"path": "/quantlib/economics/utility/log", "body": {"wealth": -2}},
            {"path": "/quantlib/physics/entropy/shannon", "body": {"probabilities": [0.5, 0.5], "base": 2}},
        ]
        results = []
        self.assertEqual(self.spent_by(lambda: results.extend(self.client.batch(calls))), 2)
        price, refused, entropy = results
        self.assertEqual(price["price"], 8.021352235143173)
        self.assertIsInstance(refused, quantd.InvalidInputError)
        self.assertEqual(refused.details[0], ("/wealth", "must be greater than 0"))
        self.assertEqual(entropy["shannon_entropy"], 1)
        self.assertEqual(self.spent_by(lambda: self.client.batch(calls)), 0)

    def test_a_long_batch_is_sent_in_several_requests(self):
        calls = [
            {"path": "/quantlib/economics/utility/log", "body": {"wealth": wealth}}
            for wealth in range(1, 1_102)
        ]
        results = self.client.batch(calls)
        self.assertEqual([one["marginal_utility"] for one in results], [1 / one for one in range(1, 1_102)])

    def test_nan_gives_nan_with_a_warning_and_costs_nothing(self):
        def call():
            with self.assertWarnsRegex(quantd.MissingRowsWarning, "spot is NaN") as caught:
                self.assertTrue(math.isnan(self.client.black_scholes_price(**{**OPTION, "spot": math.nan})))
            self.assertEqual(caught.filename, __file__)

        self.assertEqual(self.spent_by(call), 0)

    def test_an_infinite_number_is_refused_by_name(self):
        with self.assertRaisesRegex(ValueError, "strike must be a finite number"):
            self.client.black_scholes_price(**{**OPTION, "strike": math.inf})

        table = [[1], [2], [3]]
        for value in (math.inf, math.nan):
            with self.assertRaisesRegex(ValueError, "^threshold must be a finite number$"):
                self.client.outlier_detection(table, threshold=value)
            with self.assertRaisesRegex(ValueError, "^base must be a finite number$"):
                self.client.shannon_entropy([0.5, 0.5], base=value)
        with self.assertRaisesRegex(ValueError, "^K must be a finite number$"):
            self.client.variance_gamma_calibration([{"K": math.inf, "T": 1, "price": 1}] * 3, S=100, r=0)

    def test_a_boolean_is_no_number(self):
        with self.assertRaisesRegex(TypeError, "strike is True; it takes numbers"):
            self.client.black_scholes_price(**{**OPTION, "strike": True})

    def test_a_copy_of_a_client_calls_the_same_service_with_the_same_key(self):
        for copied in (pickle.loads(pickle.dumps(self.client)), copy.deepcopy(self.client)):
            self.assertEqual(copied.profile()["email"], self.client.profile()["email"])
            self.assertEqual(copied.logarithmic_utility(1).utility, 0)

    def test_a_client_can_be_passed_to_processes(self):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual([one.utility for one in pool.map(self.client.logarithmic_utility, [1, 1.0])], [0, 0])

    def test_scalar_calls_are_charged_each_time(self):
        self.assertEqual(self.spent_by(lambda: [self.client.logarithmic_utility(7) for _ in range(3)]), 3)

    def test_the_standing_after_a_reply_tells_credits_and_windows(self):
        self.client.logarithmic_utility(2)
        standing = self.client.standing
        self.assertEqual((standing.credits_cost, standing.replayed), (1, False))
        self.assertEqual(standing.credits_remaining, self.client.credits()["credits"])
        self.assertEqual(standing.windows[0].name, "hour")

    def test_a_table_of_lists_gives_lists(self):
        found = self.client.outlier_detection([[1], [2], [3], [4], [100]], method="iqr", threshold=1.5)
        self.assertEqual(found.outliers, [False, False, False, False, True])
        self.assertEqual(found.outlier_indices, [4])

    def test_a_vector_of_one_result_gives_a_float(self):
        self.assertEqual(self.client.shannon_entropy([0.5, 0.25, 0.125, 0.125], base=2), 1.75)

    def test_booleans_are_labels(self):
        found = self.client.credit_discrimination([False, False, True, True], [0.1, 0.4, 0.35, 0.8])
        self.assertEqual(found, (0.5, 0.5, 0.75, 0.5))

    def test_rows_of_a_table_with_a_missing_value_stay_nan(self):
        table = [[1, 2], [1.1, 2.1], [math.nan, 0], [0.9, 1.9], [1, None], [1, 2.1], [8, 9]]
        with self.assertWarnsRegex(quantd.MissingRowsWarning, "2 of 7 rows, the first at 2, have") as caught:
            found = self.client.isolation_forest(table, contamination=0.2)
        self.assertEqual(caught.filename, __file__)
        self.assertEqual([row for row, one in enumerate(found.anomaly_scores) if math.isnan(one)], [2, 4])
        self.assertEqual([one for one in found.predictions if one == one], [1, 1, 1, 1, -1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", quantd.MissingRowsWarning)
            outliers = self.client.outlier_detection([[1], [None], [2], [3], [4], [100]], method="iqr")
        self.assertEqual(outliers.outlier_indices, [5])

    def test_a_missing_value_in_a_matrix_or_distribution_is_refused(self):
        with self.assertRaisesRegex(ValueError, "transitions has a missing or infinite value"):
            self.client.rating_migration_matrix([[3, 1], [math.nan, 0]])
        with self.assertRaisesRegex(ValueError, "probabilities has a missing or infinite value"):
            self.client.shannon_entropy([None, 1])

    def test_an_infinite_value_of_a_table_is_named_by_its_row(self):
        with self.assertRaisesRegex(ValueError, "Row 1: 0 must be a finite number"):
            self.client.outlier_detection([[1], [-math.inf]])

    def test_vectors_of_unequal_length_are_refused(self):
        with self.assertRaisesRegex(ValueError, "y_score has 2 values but y_true has 3"):
            self.client.credit_discrimination([0, 1, 1], [0.5, 0.6])

    def test_a_repeated_table_is_charged_once_for_each_ten_repetitions(self):
        table = [[1, 2], [3, 4], [5, 6.5]]

        def call():
            self.client.outlier_detection(table)

        self.assertEqual(self.spent_by(call), 1)
        self.assertEqual(self.spent_by(lambda: [call() for _ in range(10)]), 0)
        self.assertTrue(self.client.standing.replayed)
        # The service repeats a paid result ten times.
        self.assertEqual(self.spent_by(lambda: [call() for _ in range(11)]), 1)

    def test_a_guest_has_fifty_credits_and_no_history(self):
        guest = quantd.Client.guest()
        self.assertEqual(guest.credits()["credits"], 50)
        self.assertEqual(guest.profile()["account_type"], "guest")
        self.assertNotEqual(guest.api_key, self.client.api_key)
        with self.assertRaises(quantd.GuestForbiddenError):
            next(guest.usage())

    def test_the_usage_iterator_follows_the_pages(self):
        for wealth in (1, 2, 3):
            self.client.logarithmic_utility(wealth)
        items = list(self.client.usage(page=2))
        self.assertEqual([item["path"] for item in items[:3]], ["/quantlib/economics/utility/log"] * 3)
        self.assertGreater(len(items), 3)
        kinds = [record["kind"] for record in self.client.export()]
        self.assertEqual((kinds[0], kinds.count("history") >= len(items)), ("account", True))
        sums = self.client.usage_summary()["by_endpoint"]
        self.assertEqual(sum(row["credits"] for row in sums), sum(item["credits"] for item in items))
        path = "/quantlib/economics/utility/log"
        found = list(self.client.usage(page=2, path=path, status=200, day=items[0]["at"][:10]))
        self.assertEqual(found, [item for item in items if item["path"] == path])
        self.assertEqual(list(self.client.usage(request_id=items[1]["request_id"])), [items[1]])

    def test_team_keys_are_created_changed_rotated_and_revoked(self):
        created = self.client.create_team_key(
            "notebook", paths=("/quantlib/economics/utility/log",), credit_cap=2, cap_period="day", hourly_limit=9
        )
        user = quantd.Client(api_key=created["key"])
        self.assertEqual(user.logarithmic_utility(1).utility, 0)
        self.assertEqual(user.credits()["cap_left"], 1)
        with self.assertRaises(quantd.KeyForbiddenError):
            user.shannon_entropy([0.5, 0.5])
        changed = self.client.update_team_key(created["id"], name="desk", credit_cap=1)
        self.assertEqual((changed["name"], changed["credit_cap"], changed["hourly_limit"]), ("desk", 1, 9))
        with self.assertRaises(quantd.KeyCapExhaustedError):
            user.logarithmic_utility(2)
        lifted = self.client.update_team_key(created["id"], credit_cap=None, paths=None)
        self.assertEqual((lifted["credit_cap"], lifted["paths"], lifted["name"]), (None, None, "desk"))
        rotated = self.client.rotate_team_key(created["id"], overlap_seconds=600)
        self.assertEqual(rotated["id"], created["id"])
        both = [quantd.Client(api_key=key) for key in (created["key"], rotated["key"])]
        self.assertEqual([one.logarithmic_utility(1).utility for one in both], [0, 0])
        [item] = [one for one in self.client.team_keys() if one["id"] == created["id"]]
        self.assertEqual((item["spent_total"], item["state"]), (3, "active"))
        self.assertEqual(self.client.revoke_team_key(created["id"])["state"], "revoked")
        for one in both:
            with self.assertRaises(quantd.ApiKeyInvalidError):
                one.logarithmic_utility(1)
        with self.assertRaises(quantd.NotFoundError):
            self.client.revoke_team_key(created["id"] + 1_000_000)
        with self.assertRaises(quantd.InvalidInputError) as caught:
            self.client.create_team_key("other", mfa_code=0)
        self.assertEqual(caught.exception.details[0].path, "/mfa_code")

    def test_the_methods_of_team_keys_take_every_field_of_their_endpoints(self):
        with urllib.request.urlopen(f"{self.client.base_url}/openapi.json") as reply:
            document = json.load(reply)
        schemas = document["components"]["schemas"]
        verbs = sorted(path.rsplit("/", 1)[1] for path in document["paths"] if path.startswith("/user/keys/"))
        self.assertEqual(verbs, ["create", "revoke", "rotate", "update"])
        for verb in verbs:
            taken = inspect.signature(getattr(self.client, f"{verb}_team_key")).parameters
            declared = schemas[f"UserKeys{verb.capitalize()}Input"]["properties"]
            self.assertEqual(sorted(taken), sorted(declared), verb)

    def test_an_unknown_key_is_an_error_of_its_own_class(self):
        with self.assertRaises(quantd.ApiKeyInvalidError) as caught:
            quantd.Client(api_key="qd_user_" + "x" * 43).logarithmic_utility(1)
        self.assertEqual(str(caught.exception), "Invalid or expired API key")

    def test_the_key_is_not_in_the_representation(self):
        self.assertNotIn(self.client.api_key, repr(self.client))

    def test_each_failure_code_has_a_class(self):
        self.assertEqual(quantd.RateLimitedError.code, "rate_limited")
        self.assertTrue(issubclass(quantd.RateLimitedError, quantd.QuantdError))
        self.assertFalse(hasattr(quantd, "NotImplementedError"))

    def test_no_package_but_the_standard_library_is_loaded(self):
        outside = [name for name in ("numpy", "pandas", "pyarrow", "tqdm") if sys.modules.get(name)]
        self.assertEqual(outside, [])
