"""The client for asyncio."""
from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Dict, Iterator, List, Optional, Sequence, TypeVar, Union

from .async_computations import AsyncComputations
from .calls import Call
from .client import Client
from .errors import QuantdError
from .records import Credits, ExportRecord, KeysItem, Notices, Profile, Receipt, UsageItem, UsageSummary
from .standing import Standing
from .team_keys import KEEP, NewTeamKey, Period

Item = TypeVar("Item")
#: Ends an iteration: StopIteration cannot leave a thread by a future.
END: Any = object()


class AsyncClient(AsyncComputations):
    """`Client` for asyncio: the same methods with the same arguments and results, as coroutines.

    A call runs in one of `connections` threads, so that neither a reply nor the reading of large arrays blocks the event loop.
    Further calls wait for a thread. A cancelled call ends at once for its caller; an attempt that is under way ends in its thread.

    Args:
        connections: calls at the same time.
        options: those of Client.
    """

    def __init__(
        self, base_url: Optional[str] = None, api_key: Optional[str] = None, *, connections: int = 16, **options: Any
    ) -> None:
        self._use(Client(base_url, api_key, **options), connections)

    def _use(self, client: Client, connections: int) -> None:
        if connections < 1:
            raise ValueError("connections must be at least 1")
        self._client = client
        self._connections = connections
        self._threads = ThreadPoolExecutor(connections, "quantd")

    @classmethod
    def of(cls, client: Client, *, connections: int = 16) -> AsyncClient:
        """The methods of a client as coroutines."""
        found = cls.__new__(cls)
        found._use(client, connections)
        return found

    @classmethod
    async def guest(cls, base_url: Optional[str] = None, *, connections: int = 16, **options: Any) -> AsyncClient:
        """A client with a new guest key: 50 credits, valid for 24 hours. `options` are those of Client."""
        return cls.of(await asyncio.to_thread(Client.guest, base_url, **options), connections=connections)

    def with_options(self, **changes: Any) -> AsyncClient:
        """A client with other options of Client, for example `client.with_options(retries=0)`."""
        return type(self).of(self._client.with_options(**changes), connections=self._connections)

    @property
    def base_url(self) -> str:
        return self._client.base_url

    @property
    def api_key(self) -> Optional[str]:
        return self._client.api_key

    @property
    def standing(self) -> Optional[Standing]:
        """Credits and windows of the key after the last computation; None before the first."""
        return self._client.standing

    async def batch(self, calls: Sequence[Call]) -> List[Union[Dict[str, Any], QuantdError]]:
        """See `Client.batch`."""
        return await self._run(Client.batch, calls)

    async def profile(self) -> Profile:
        """See `Client.profile`."""
        return await self._run(Client.profile)

    async def credits(self) -> Credits:
        """See `Client.credits`."""
        return await self._run(Client.credits)

    async def notices(self) -> Notices:
        """See `Client.notices`."""
        return await self._run(Client.notices)

    async def set_notices(self, credits: Sequence[int]) -> Notices:
        """See `Client.set_notices`."""
        return await self._run(Client.set_notices, credits)

    def usage(
        self,
        page: int = 1000,
        *,
        path: Optional[str] = None,
        status: Union[str, int, None] = None,
        day: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        key: Optional[int] = None,
        request_id: Optional[str] = None,
    ) -> AsyncIterator[UsageItem]:
        """See `Client.usage`; for `async for`."""
        items = self._client.usage(
            page, path=path, status=status, day=day, from_=from_, to=to, key=key, request_id=request_id
        )
        return self._iterated(items)

    def export(self, *, mfa_code: Optional[str] = None) -> AsyncIterator[ExportRecord]:
        """See `Client.export`; for `async for`."""
        return self._iterated(self._client.export(mfa_code=mfa_code))

    async def usage_summary(self) -> UsageSummary:
        """See `Client.usage_summary`."""
        return await self._run(Client.usage_summary)

    async def receipt(self, request_id: str) -> Receipt:
        """See `Client.receipt`."""
        return await self._run(Client.receipt, request_id)

    async def team_keys(self) -> List[KeysItem]:
        """See `Client.team_keys`."""
        return await self._run(Client.team_keys)

    async def create_team_key(
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
        """See `Client.create_team_key`."""
        return await self._run(
            Client.create_team_key,
            name,
            paths=paths,
            allowed_ips=allowed_ips,
            credit_cap=credit_cap,
            cap_period=cap_period,
            hourly_limit=hourly_limit,
            expires_at=expires_at,
            mfa_code=mfa_code,
        )

    async def update_team_key(
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
        """See `Client.update_team_key`."""
        return await self._run(
            Client.update_team_key,
            id,
            name=name,
            paths=paths,
            allowed_ips=allowed_ips,
            credit_cap=credit_cap,
            cap_period=cap_period,
            hourly_limit=hourly_limit,
            expires_at=expires_at,
            mfa_code=mfa_code,
        )

    async def rotate_team_key(
        self, id: int, *, overlap_seconds: int = 0, mfa_code: Optional[str] = None
    ) -> NewTeamKey:
        """See `Client.rotate_team_key`."""
        return await self._run(Client.rotate_team_key, id, overlap_seconds=overlap_seconds, mfa_code=mfa_code)

    async def revoke_team_key(self, id: int, *, mfa_code: Optional[str] = None) -> KeysItem:
        """See `Client.revoke_team_key`."""
        return await self._run(Client.revoke_team_key, id, mfa_code=mfa_code)

    async def close(self) -> None:
        """Ends the threads once their calls have ended, and closes the connections. There are no later calls."""
        await asyncio.to_thread(self._threads.shutdown)
        self._client.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"quantd.AsyncClient({self.base_url!r})"

    async def _iterated(self, items: Iterator[Item]) -> AsyncIterator[Item]:
        """The items of an iterator that waits for replies."""
        while (item := await self._run(lambda _: next(items, END))) is not END:
            yield item
