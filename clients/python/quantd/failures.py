"""An exception for each failure code of the service, in order of precedence, generated from the declarations of the service by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Dict, Type

from .errors import QuantdError

__all__ = [
    "RequestTimeoutError",
    "HeadersTooLargeError",
    "QuantdNotImplementedError",
    "RouteNotFoundError",
    "MethodNotAllowedError",
    "ApiKeyMissingError",
    "ApiKeyInvalidError",
    "AccountUnverifiedError",
    "GuestKeyExpiredError",
    "GuestForbiddenError",
    "KeyForbiddenError",
    "ClosedError",
    "BodyTooLargeError",
    "UnsupportedMediaTypeError",
    "CreditsExhaustedError",
    "KeyCapExhaustedError",
    "RateLimitedError",
    "InvalidJsonError",
    "InvalidInputError",
    "IdempotencyConflictError",
    "TokenInvalidError",
    "SignOnFailedError",
    "RoleForbiddenError",
    "SecondPersonNeededError",
    "NotFoundError",
    "InvalidCredentialsError",
    "OtpInvalidError",
    "MfaRequiredError",
    "MfaInvalidError",
    "KeySuspendedError",
    "ConflictError",
    "TooManyAttemptsError",
    "OverloadedError",
    "UnavailableError",
    "InternalError",
]


class RequestTimeoutError(QuantdError):
    """The request did not arrive in time (status 408)."""

    code = "request_timeout"


class HeadersTooLargeError(QuantdError):
    """Headers over 16 KiB (status 431)."""

    code = "headers_too_large"


class QuantdNotImplementedError(QuantdError):
    """A transfer coding other than chunked (status 501)."""

    code = "not_implemented"


class RouteNotFoundError(QuantdError):
    """No such path (status 404)."""

    code = "route_not_found"


class MethodNotAllowedError(QuantdError):
    """The path does not take this method (status 405)."""

    code = "method_not_allowed"


class ApiKeyMissingError(QuantdError):
    """No API key (status 401)."""

    code = "api_key_missing"


class ApiKeyInvalidError(QuantdError):
    """Key malformed, unknown, suspended or revoked (status 401)."""

    code = "api_key_invalid"


class AccountUnverifiedError(QuantdError):
    """The key's account is not verified (status 403)."""

    code = "account_unverified"


class GuestKeyExpiredError(QuantdError):
    """Guest key past its 24 hours (status 401)."""

    code = "guest_key_expired"


class GuestForbiddenError(QuantdError):
    """Only a registered account may do this (status 403)."""

    code = "guest_forbidden"


class KeyForbiddenError(QuantdError):
    """The team key may not do this (status 403)."""

    code = "key_forbidden"


class ClosedError(QuantdError):
    """The operator has switched this endpoint off (status 403)."""

    code = "closed"


class BodyTooLargeError(QuantdError):
    """Body over the limit (status 413)."""

    code = "body_too_large"


class UnsupportedMediaTypeError(QuantdError):
    """Body is neither application/json nor, where that is accepted, an Arrow stream (status 415)."""

    code = "unsupported_media_type"


class CreditsExhaustedError(QuantdError):
    """Balance below the call's cost (status 402)."""

    code = "credits_exhausted"


class KeyCapExhaustedError(QuantdError):
    """The team key's cap is below the call's cost (status 402)."""

    code = "key_cap_exhausted"


class RateLimitedError(QuantdError):
    """A rate window is used up (status 429)."""

    code = "rate_limited"


class InvalidJsonError(QuantdError):
    """Body is not parseable JSON, or the request is not well-formed HTTP (status 400)."""

    code = "invalid_json"


class InvalidInputError(QuantdError):
    """Body or query fails the schema, or the body the mathematics (status 422)."""

    code = "invalid_input"


class IdempotencyConflictError(QuantdError):
    """Same Idempotency-Key, different request (status 409)."""

    code = "idempotency_conflict"


class TokenInvalidError(QuantdError):
    """Operator token missing, unknown, expired or revoked (status 401)."""

    code = "token_invalid"


class SignOnFailedError(QuantdError):
    """The sign-on at the provider did not succeed (status 401)."""

    code = "sign_on_failed"


class RoleForbiddenError(QuantdError):
    """The token's role may not do this (status 403)."""

    code = "role_forbidden"


class SecondPersonNeededError(QuantdError):
    """A second operator must confirm the act (status 202)."""

    code = "second_person_needed"


class NotFoundError(QuantdError):
    """The account has nothing with this id (status 404)."""

    code = "not_found"


class InvalidCredentialsError(QuantdError):
    """Wrong e-mail address or password (status 401)."""

    code = "invalid_credentials"


class OtpInvalidError(QuantdError):
    """One-time code wrong, used or expired (status 401)."""

    code = "otp_invalid"


class MfaRequiredError(QuantdError):
    """A second factor is needed (status 401)."""

    code = "mfa_required"


class MfaInvalidError(QuantdError):
    """Second factor wrong, used or expired (status 401)."""

    code = "mfa_invalid"


class KeySuspendedError(QuantdError):
    """The account's key is suspended (status 403)."""

    code = "key_suspended"


class ConflictError(QuantdError):
    """The state of the account does not allow this (status 409)."""

    code = "conflict"


class TooManyAttemptsError(QuantdError):
    """Too many attempts (status 429)."""

    code = "too_many_attempts"


class OverloadedError(QuantdError):
    """Too much work at once (status 503)."""

    code = "overloaded"


class UnavailableError(QuantdError):
    """The database or another part is not reachable (status 503)."""

    code = "unavailable"


class InternalError(QuantdError):
    """A bug (status 500)."""

    code = "internal"


BY_CODE: Dict[str, Type[QuantdError]] = {
    "request_timeout": RequestTimeoutError,
    "headers_too_large": HeadersTooLargeError,
    "not_implemented": QuantdNotImplementedError,
    "route_not_found": RouteNotFoundError,
    "method_not_allowed": MethodNotAllowedError,
    "api_key_missing": ApiKeyMissingError,
    "api_key_invalid": ApiKeyInvalidError,
    "account_unverified": AccountUnverifiedError,
    "guest_key_expired": GuestKeyExpiredError,
    "guest_forbidden": GuestForbiddenError,
    "key_forbidden": KeyForbiddenError,
    "closed": ClosedError,
    "body_too_large": BodyTooLargeError,
    "unsupported_media_type": UnsupportedMediaTypeError,
    "credits_exhausted": CreditsExhaustedError,
    "key_cap_exhausted": KeyCapExhaustedError,
    "rate_limited": RateLimitedError,
    "invalid_json": InvalidJsonError,
    "invalid_input": InvalidInputError,
    "idempotency_conflict": IdempotencyConflictError,
    "token_invalid": TokenInvalidError,
    "sign_on_failed": SignOnFailedError,
    "role_forbidden": RoleForbiddenError,
    "second_person_needed": SecondPersonNeededError,
    "not_found": NotFoundError,
    "invalid_credentials": InvalidCredentialsError,
    "otp_invalid": OtpInvalidError,
    "mfa_required": MfaRequiredError,
    "mfa_invalid": MfaInvalidError,
    "key_suspended": KeySuspendedError,
    "conflict": ConflictError,
    "too_many_attempts": TooManyAttemptsError,
    "overloaded": OverloadedError,
    "unavailable": UnavailableError,
    "internal": InternalError,
}
