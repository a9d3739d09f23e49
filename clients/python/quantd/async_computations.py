"""The computations as coroutines, made from those of `Computations`; async_computations.pyi has their types."""
from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Coroutine

from .computations import Computations
from .warn import CALLER, caller


class AsyncComputations:
    """One coroutine per operation, which runs the method of a client in a thread."""

    _client: Any
    _threads: ThreadPoolExecutor

    def _run(self, method: Callable[..., Any], *values: Any, **given: Any) -> Coroutine[Any, Any, Any]:
        # A warning of the thread is shown at the line that makes the coroutine, which may run later.
        context = contextvars.copy_context()
        context.run(CALLER.set, caller())
        return self._awaited(functools.partial(context.run, method, self._client, *values, **given))

    async def _awaited(self, call: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


def _coroutine(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def run(self: AsyncComputations, *values: Any, **given: Any) -> Coroutine[Any, Any, Any]:
        return self._run(method, *values, **given)

    return run


for _name, _method in inspect.getmembers(Computations, inspect.isfunction):
    if not _name.startswith("_") and _method.__module__ == Computations.__module__:
        setattr(AsyncComputations, _name, _coroutine(_method))
