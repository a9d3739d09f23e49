"""The client for asyncio: needs nothing but the standard library."""
import asyncio
import inspect
import socket
import sys
import threading
import time
import unittest
import warnings

import quantd

OPTION = dict(spot=100, strike=105, risk_free_rate=0.05, volatility=0.2, time_to_maturity=1)


class Coroutines(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.client = quantd.AsyncClient()

    async def asyncTearDown(self):
        await self.client.close()

    def test_the_surface_is_that_of_the_client(self):
        def public(one):
            return {name for name in dir(one) if not name.startswith("_")} - {"of"}

        self.assertEqual(public(quantd.AsyncClient()), public(quantd.Client()))
        for name, method in inspect.getmembers(quantd.Client, inspect.isfunction):
            if not name.startswith("_") and name not in ("with_options", "close"):
                own = getattr(quantd.AsyncClient, name)
                with self.subTest(name):
                    self.assertEqual(list(inspect.signature(own).parameters), list(inspect.signature(method).parameters))

    async def test_a_warning_is_shown_at_the_line_of_the_caller(self):
        rows = dict(OPTION, strike=[90, float("nan")])

        async def warned(made):
            with self.assertWarns(quantd.MissingRowsWarning) as caught:
                await made()
            self.assertEqual(caught.filename, __file__)
            return caught.lineno

        line = sys._getframe().f_lineno
        self.assertEqual(await warned(lambda: self.client.black_scholes_price(**rows)), line + 1)
        self.assertEqual(await warned(lambda: asyncio.gather(self.client.black_scholes_price(**rows))), line + 2)

    async def test_computations_have_the_results_of_the_client(self):
        price, greeks, rows = await asyncio.gather(
            self.client.black_scholes_price(S=100, K=105, r=0.05, sigma=0.2, T=1),
            self.client.black_scholes_greeks(**OPTION),
            self.client.black_scholes_price(**{**OPTION, "strike": [90, 105]}),
        )
        self.assertEqual(price, 8.021352235143173)
        self.assertIsInstance(greeks, quantd.BlackScholesGreeks)
        self.assertEqual(rows[1], price)
        self.assertGreater(self.client.standing.credits_remaining, 0)

    async def test_errors_are_those_of_the_client(self):
        with self.assertRaises(quantd.InvalidInputError):
            await self.client.black_scholes_price(**{**OPTION, "strike": -1})
        with self.assertRaises(TypeError):
            await self.client.black_scholes_price(strike=1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            await self.client.logarithmic_utility([1, None])
        self.assertEqual([one.category for one in caught], [quantd.MissingRowsWarning])

    async def test_batch_account_and_history(self):
        body = {"wealth": 1}
        found = await self.client.batch([{"path": "/quantlib/economics/utility/log", "body": body}] * 3)
        self.assertEqual([one["utility"] for one in found], [0, 0, 0])
        self.assertEqual((await self.client.profile())["email"], "edsger@example.org")
        self.assertGreater((await self.client.credits())["spent"], 0)
        await asyncio.gather(*(self.client.logarithmic_utility(wealth) for wealth in (1, 2, 3)))
        paths = [one["path"] async for one in self.client.usage(page=2)]
        self.assertGreaterEqual(len(paths), 4)
        self.assertIn("/quantlib/economics/utility/log", paths)
        self.assertEqual(await self.client.team_keys(), [])
        records = [one async for one in self.client.export()]
        self.assertGreater(len(records), 0)

    async def test_options_guests_and_contexts(self):
        other = self.client.with_options(retries=0, refused="raise")
        with self.assertRaises(quantd.RowsRefusedError):
            await other.logarithmic_utility([1, -1])
        await other.close()
        async with await quantd.AsyncClient.guest() as guest:
            self.assertEqual(await guest.black_scholes_price(**OPTION), 8.021352235143173)
            self.assertNotIn(guest.api_key, repr(guest))
        with self.assertRaises(ValueError):
            quantd.AsyncClient(connections=0)

    async def test_calls_wait_at_the_same_time_and_leave_the_event_loop_free(self):
        with Silent() as silent:
            client = quantd.AsyncClient(silent.url, retries=0, timeout=30, connections=8)
            calls = [asyncio.create_task(client.profile()) for _ in range(8)]
            deadline = time.monotonic() + 20
            while len(silent.held) < 8 and time.monotonic() < deadline:
                await asyncio.sleep(0.01)
            self.assertEqual(len(silent.held), 8)
            for call in calls:
                call.cancel()
            ended = await asyncio.gather(*calls, return_exceptions=True)
            self.assertEqual({type(one) for one in ended}, {asyncio.CancelledError})
        await client.close()


class Silent:
    """A server that takes connections and answers nothing, until it ends them."""

    def __enter__(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        self.held = []
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def accept(self):
        try:
            while True:
                self.held.append(self.server.accept()[0])
        except OSError:
            pass

    def __exit__(self, *_):
        self.server.close()
        for one in self.held:
            one.close()


if __name__ == "__main__":
    unittest.main()
