"""The usual way to offer the same call: FastAPI validates, QuantLib prices, and SQLite commits a debit and a row for every call."""

import math
import os
import sqlite3
import time
from enum import Enum

import fastapi
import QuantLib as ql
from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel, Field

database = sqlite3.connect(os.environ["DATABASE"], isolation_level=None, check_same_thread=False)
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA synchronous = FULL")
database.execute("CREATE TABLE accounts (id INTEGER PRIMARY KEY, api_key TEXT UNIQUE, balance INTEGER)")
database.execute("CREATE TABLE audit (id INTEGER PRIMARY KEY, at REAL, account_id INTEGER, path TEXT, status INTEGER)")
database.execute("INSERT INTO accounts VALUES (1, ?, 1000000000)", (os.environ["API_KEY"],))


class OptionType(str, Enum):
    call = "call"
    put = "put"


class Request(BaseModel):
    spot: float = Field(gt=0)
    strike: float = Field(gt=0)
    risk_free_rate: float
    volatility: float = Field(ge=0)
    time_to_maturity: float = Field(ge=0)
    dividend_yield: float = 0
    option_type: OptionType = OptionType.call

    class Config:
        extra = "forbid"


app = FastAPI()


async def caller(x_api_key: str = Header()):
    row = database.execute("SELECT id FROM accounts WHERE api_key = ?", (x_api_key,)).fetchone()
    if row is None:
        raise HTTPException(401)
    return row[0]


@app.post("/quantlib/pricing/bs/price")
async def price(request: Request, account: int = Depends(caller)):
    t = request.time_to_maturity
    discount = math.exp(-request.risk_free_rate * t)
    forward = request.spot * math.exp((request.risk_free_rate - request.dividend_yield) * t)
    kind = ql.Option.Call if request.option_type == OptionType.call else ql.Option.Put
    value = ql.blackFormula(kind, request.strike, forward, request.volatility * t**0.5, discount)
    database.execute("BEGIN IMMEDIATE")
    database.execute("UPDATE accounts SET balance = balance - 1 WHERE id = ? AND balance > 0", (account,))
    database.execute(
        "INSERT INTO audit (at, account_id, path, status) VALUES (?, ?, ?, 200)", (time.time(), account, "bs")
    )
    database.execute("COMMIT")
    return {"success": True, "data": {"price": value, "option_type": request.option_type}}


@app.get("/readyz")
async def ready():
    return {"fastapi": fastapi.__version__, "quantlib": ql.__version__}
