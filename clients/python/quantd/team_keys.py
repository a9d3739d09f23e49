"""The team keys of an account: further keys with limits of their own. The account's own key manages them."""
from __future__ import annotations

from typing import Any, List, Literal, Optional, Sequence, cast

from .records import KeysItem
from .sender import Sender

Period = Literal["total", "day", "month"]

#: Leaves a setting as it is.
KEEP: Any = ...


class NewTeamKey(KeysItem):
    #: the key itself, which is shown this once.
    key: str


class TeamKeys(Sender):
    """The methods of a registered account. Where its second factor is on, `mfa_code` is needed. An attempt is sent once."""

    def team_keys(self) -> List[KeysItem]:
        """The account's team keys, newest first and revoked ones last: settings, spending and last use of each."""
        return cast(List[KeysItem], self._query("/user/keys")["items"])

    def create_team_key(
        self,
        name: str,
        *,
        paths: Optional[Sequence[str]] = None,
        allowed_ips: Optional[Sequence[str]] = None,
        credit_cap: Optional[int] = None,
        cap_period: Optional[Period] = None,
        hourly_limit: Optional[int] = None,
        expires_at: Optional[str] = None,
        mfa_code: Optional[str] = None,
    ) -> NewTeamKey:
        """A new key. Give `NewTeamKey["key"]` to its user: the service keeps only a hash of it.

        Args:
            name: 1 to 100 printable characters.
            paths: of the operations that it may call, also in a batch and as rows; None: all.
            allowed_ips: IP addresses, and ranges such as "192.0.2.0/24", from which it may be used; None: all.
            credit_cap: credits that it may spend in a period; None: as many as the account has.
            cap_period: when the cap renews: never ("total", the default), or at midnight UTC of each "day" or first of the "month".
            hourly_limit: requests an hour, within the limits of the account; None: only those.
            expires_at: its end, such as "2027-01-01T00:00:00Z"; None: never.

        Raises:
            ConflictError: the account has as many keys as it may.
            QuantdError: any other failure; its class and `code` tell which.
        """
        settings = {"paths": paths, "allowed_ips": allowed_ips, "credit_cap": credit_cap}
        settings.update(cap_period=cap_period, hourly_limit=hourly_limit, expires_at=expires_at)
        return cast(NewTeamKey, self._manage("create", mfa_code, name=name, **settings))

    def update_team_key(
        self,
        id: int,
        *,
        name: str = KEEP,
        paths: Optional[Sequence[str]] = KEEP,
        allowed_ips: Optional[Sequence[str]] = KEEP,
        credit_cap: Optional[int] = KEEP,
        cap_period: Optional[Period] = KEEP,
        hourly_limit: Optional[int] = KEEP,
        expires_at: Optional[str] = KEEP,
        mfa_code: Optional[str] = None,
    ) -> KeysItem:
        """Changes the settings that are given, as in `create_team_key`; None lifts a limit."""
        settings = {"name": name, "paths": paths, "allowed_ips": allowed_ips, "credit_cap": credit_cap}
        settings.update(cap_period=cap_period, hourly_limit=hourly_limit, expires_at=expires_at)
        return cast(KeysItem, self._manage("update", mfa_code, id=id, **settings))

    def rotate_team_key(
        self, id: int, *, overlap_seconds: int = 0, mfa_code: Optional[str] = None
    ) -> NewTeamKey:
        """A new key with the same id, settings and spending; the old one is accepted for the overlap, at most 604,800 s."""
        return cast(NewTeamKey, self._manage("rotate", mfa_code, id=id, overlap_seconds=overlap_seconds))

    def revoke_team_key(self, id: int, *, mfa_code: Optional[str] = None) -> KeysItem:
        """Ends every key with this id; it cannot be undone."""
        return cast(KeysItem, self._manage("revoke", mfa_code, id=id))

    def _manage(self, verb: str, mfa_code: Optional[str], **fields: Any) -> Any:
        body = {name: value for name, value in fields.items() if value is not KEEP}
        for several in ("paths", "allowed_ips"):
            if body.get(several) is not None:
                body[several] = list(body[several])
        if mfa_code is not None:
            body["mfa_code"] = mfa_code
        return self._change(f"/user/keys/{verb}", body)
