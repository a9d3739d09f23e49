"""The computations as coroutines, made from those of `Computations`; async_computations.pyi has their types."""
from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

from .computations import Computations


class AsyncComputations:
    """One coroutine per operation, which runs the method of a client in a thread."""

    _client: Any
    _threads: ThreadPoolExecutor

    async def _run(self, method: Callable[..., Any], *values: Any, **given: Any) -> Any:
        context = contextvars.copy_context()
        call = functools.partial(context.run, method, self._client, *values, **given)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


def _coroutine(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    async def run(self: AsyncComputations, *values: Any, **given: Any) -> Any:
        return await self._run(method, *values, **given)

    return run


for _name, _method in inspect.getmembers(Computations, inspect.isfunction):
    if not _name.startswith("_") and _method.__module__ == Computations.__module__:
        setattr(AsyncComputations, _name, _coroutine(_method))
