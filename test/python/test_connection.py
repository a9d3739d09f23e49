"""The connection: what is repeated, how often and with which wait. The peer is a real HTTP server in this process."""
import json
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest.mock import patch

import quantd
from quantd.operators import Operator

UTILITY = {"utility": 0, "marginal_utility": 1, "absolute_risk_aversion": 1, "relative_risk_aversion": 1}


class Peer:
    """Sends its replies in order and repeats the last one; keeps the requests."""

    def __init__(self, *replies):
        self.requests, self.connections = [], []
        peer, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 20

            def setup(self):
                super().setup()
                peer.connections.append(self.client_address)

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with lock:
                    peer.requests.append((self.path, dict(self.headers), body))
                    reply = replies[min(len(peer.requests), len(replies)) - 1]
                reply(self)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def client(self, **options):
        return quantd.Client(self.url, "qd_guest_x", **options)

    def keys(self):
        return [headers.get("Idempotency-Key") for _, headers, _ in self.requests]


def reply(status, body, headers={}, closing=False):
    def send(handler):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"Content-Length": len(raw), "X-Request-Id": "r-1", **headers}.items():
            handler.send_header(name, str(value))
        handler.end_headers()
        handler.wfile.write(raw)
        # Without the header, as a service does that has waited long for the next request.
        handler.close_connection = handler.close_connection or closing

    return send


def success(data=UTILITY, **options):
    return reply(200, {"success": True, "data": data}, **options)


def failure(status, code, retry_after=None, message="It failed.", **numbers):
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return reply(status, {"success": False, "message": message, "error": {"code": code, **numbers}}, headers)


def hang_up(handler):
    handler.connection.close()
    handler.close_connection = True


class Connection(unittest.TestCase):
    def setUp(self):
        self.peers = []
        self.slept = []
        sleep = patch("quantd.repeat.time.sleep", self.slept.append)
        sleep.start()
        self.addCleanup(sleep.stop)

    def tearDown(self):
        for peer in self.peers:
            peer.server.shutdown()
            peer.server.server_close()

    def peer(self, *replies):
        self.peers.append(Peer(*replies))
        return self.peers[-1]

    def test_a_call_sends_key_body_and_idempotency_key(self):
        peer = self.peer(success())
        peer.client().logarithmic_utility(1)
        path, headers, body = peer.requests[0]
        self.assertEqual((path, body), ("/quantlib/economics/utility/log", b'{"wealth":1}'))
        self.assertEqual((headers["X-API-Key"], headers["Content-Type"]), ("qd_guest_x", "application/json"))
        self.assertTrue(headers["Idempotency-Key"])

    def test_requests_share_a_connection(self):
        peer = self.peer(success())
        client = peer.client()
        for _ in range(3):
            client.logarithmic_utility(1)
        self.assertEqual(len(peer.connections), 1)

    def test_a_forked_process_opens_a_connection_of_its_own(self):
        peer = self.peer(success())
        client = peer.client()
        client.logarithmic_utility(1)
        child = os.fork()
        if child == 0:
            client.logarithmic_utility(1)
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0), (child, 0))
        client.logarithmic_utility(1)
        self.assertEqual((len(peer.requests), len(peer.connections)), (3, 2))

    def test_a_kept_connection_that_the_service_closed_is_replaced_without_a_wait(self):
        peer = self.peer(success(closing=True), success())
        client = peer.client(retries=0)
        client.logarithmic_utility(1)
        client.logarithmic_utility(1)
        self.assertEqual((len(peer.requests), len(peer.connections), self.slept), (2, 2, []))

    def test_a_lost_reply_is_asked_for_again_with_the_same_key_and_bytes(self):
        peer = self.peer(hang_up, success())
        peer.client().logarithmic_utility(2)
        self.assertEqual(len(peer.requests), 2)
        self.assertEqual(len(set(peer.keys())), 1)
        self.assertEqual(len({body for _, _, body in peer.requests}), 1)

    def test_two_scalar_calls_have_different_keys(self):
        peer = self.peer(success())
        for _ in range(2):
            peer.client().logarithmic_utility(2)
        self.assertEqual(len(set(peer.keys())), 2)

    def test_the_wait_is_that_of_retry_after(self):
        peer = self.peer(failure(503, "overloaded", 2), failure(429, "rate_limited", 7), success())
        peer.client().logarithmic_utility(2)
        self.assertEqual(self.slept, [2, 7])

    def test_the_retries_of_a_client_outlast_a_restart_of_the_service(self):
        peer = self.peer(failure(503, "unavailable"))
        with self.assertRaises(quantd.UnavailableError):
            peer.client().logarithmic_utility(2)
        self.assertGreater(sum(self.slept), 6)

    def test_without_retry_after_the_wait_doubles(self):
        peer = self.peer(failure(503, "unavailable"))
        with self.assertRaises(quantd.UnavailableError):
            peer.client(retries=4).logarithmic_utility(2)
        self.assertEqual(len(peer.requests), 5)
        for wait, most in zip(self.slept, (0.2, 0.4, 0.8, 1.6)):
            self.assertTrue(most / 2 <= wait <= most)

    def test_a_longer_wait_than_max_wait_fails_at_once(self):
        peer = self.peer(failure(429, "rate_limited", 3600))
        with self.assertRaises(quantd.RateLimitedError) as caught:
            peer.client().logarithmic_utility(2)
        self.assertEqual((caught.exception.retry_after, len(peer.requests), self.slept), (3600, 1, []))

    def test_an_error_has_the_numbers_of_its_message(self):
        peer = self.peer(failure(402, "credits_exhausted", needed=3, balance=1))
        with self.assertRaises(quantd.CreditsExhaustedError) as caught:
            peer.client().logarithmic_utility(2)
        self.assertEqual(caught.exception.numbers, {"needed": 3, "balance": 1})

    def test_a_result_that_was_repeated_enough_is_bought_again_whatever_the_message_says(self):
        enough = failure(429, "rate_limited", 0, counted="replays", limit=10)
        peer = self.peer(enough, success({"shannon_entropy": 0.5}))
        peer.client(retries=0).shannon_entropy([0.25, 0.75])
        self.assertEqual([key[-2:] for key in peer.keys()], ["-0", "-1"])

    def test_a_permanent_failure_is_not_repeated(self):
        peer = self.peer(failure(402, "credits_exhausted"))
        with self.assertRaises(quantd.CreditsExhaustedError):
            peer.client().logarithmic_utility(2)
        self.assertEqual(len(peer.requests), 1)

    def test_a_change_of_the_account_is_never_repeated(self):
        peer = self.peer(hang_up)
        with self.assertRaises(quantd.NetworkError):
            quantd.Client.guest(peer.url)
        self.assertEqual((len(peer.requests), peer.keys()), (1, [None]))
        self.assertNotIn("X-API-Key", peer.requests[0][1])

    def test_a_table_has_the_same_key_in_every_process_and_another_for_other_content(self):
        peer = self.peer(success({"shannon_entropy": 0.5}))
        for probabilities in ([0.25, 0.75], [0.25, 0.75], [0.75, 0.25]):
            peer.client().shannon_entropy(probabilities)
        first, second, other = peer.keys()
        self.assertEqual(first, second)
        self.assertNotEqual(first, other)
        self.assertRegex(first, r"^[!-~]{1,255}$")

    def test_no_answer_is_a_timeout(self):
        silence = threading.Event()
        peer = self.peer(lambda handler: silence.wait(10))
        with self.assertRaises(quantd.ReplyTimeoutError):
            peer.client(timeout=0.05, retries=0).logarithmic_utility(2)
        silence.set()

    def test_no_server_is_a_network_error(self):
        peer = self.peer(success())
        peer.server.shutdown()
        peer.server.server_close()
        self.peers.clear()
        with self.assertRaisesRegex(quantd.NetworkError, "^Cannot connect to the service at http://127"):
            peer.client(retries=1).logarithmic_utility(2)
        self.assertEqual(len(self.slept), 1)

    def test_a_page_of_something_else_is_no_reply(self):
        for status, body in ((404, b"<h1>nginx</h1>"), (200, b"[]"), (502, b'{"error":[]}')):
            with self.assertRaises(quantd.UnexpectedReplyError) as caught:
                self.peer(reply(status, body)).client(retries=0).logarithmic_utility(2)
            self.assertEqual((caught.exception.status, caught.exception.code), (status, "reply"))

    def test_a_redirection_is_reported_and_neither_followed_nor_repeated(self):
        other = Peer(success())
        target = other.url + "/quantlib/economics/utility/log"
        for status in (301, 302, 303, 307, 308):
            peer = Peer(reply(status, b"", {"Location": target}))
            with self.assertRaises(quantd.UnexpectedReplyError) as caught:
                peer.client().logarithmic_utility(1)
            self.assertEqual(
                caught.exception.message,
                f"The address redirects to {target}; use the address of the service itself.",
            )
            self.assertEqual((caught.exception.status, len(peer.requests), len(other.requests)), (status, 1, 0))

    def test_a_failure_code_of_a_newer_service_keeps_its_message(self):
        peer = self.peer(failure(418, "teapot", message="I am a teapot."))
        with self.assertRaisesRegex(quantd.UnexpectedReplyError, "I am a teapot."):
            peer.client().logarithmic_utility(2)

    def test_the_base_url_may_have_a_path_and_a_slash(self):
        peer = self.peer(success())
        quantd.Client(peer.url + "/quantd/", "qd_guest_x").logarithmic_utility(1)
        self.assertEqual(peer.requests[0][0], "/quantd/quantlib/economics/utility/log")
        for url in ("127.0.0.1:8080", "ftp://127.0.0.1"):
            with self.assertRaisesRegex(ValueError, "base_url must begin with http"):
                quantd.Client(url)
        for url in ("http://ada:secret@127.0.0.1:1", "http://127.0.0.1:1?key=secret", "http://127.0.0.1:1#secret"):
            with self.assertRaisesRegex(ValueError, "^base_url must have no user name, query or fragment$"):
                quantd.Client(url, retries=0).logarithmic_utility(1)

    def test_a_key_that_no_header_can_hold_is_not_in_the_message(self):
        for key in ("qd_user_secret\n", "qd_user_s\u20accret", " "):
            with self.assertRaisesRegex(ValueError, "^api_key has characters that no key contains$"):
                quantd.Client("http://127.0.0.1:1", key, retries=0).logarithmic_utility(1)
            with self.assertRaisesRegex(ValueError, "^token has characters that no key contains$"):
                Operator("http://127.0.0.1:1", key, retries=0).accounts()

    def test_url_and_key_come_from_the_environment(self):
        peer = self.peer(success())
        with patch.dict(os.environ, {"QUANTD_URL": peer.url, "QUANTD_API_KEY": "qd_user_y"}):
            quantd.Client().logarithmic_utility(1)
        self.assertEqual(peer.requests[0][1]["X-API-Key"], "qd_user_y")

    def test_a_closed_client_opens_a_new_connection(self):
        peer = self.peer(success())
        with peer.client() as client:
            client.logarithmic_utility(1)
        client.logarithmic_utility(1)
        self.assertEqual(len(peer.connections), 2)
