"""The usual way to price a data frame over HTTP: FastAPI validates columns, numpy and scipy price them. Nothing is charged or stored."""

from enum import Enum
from typing import List

import fastapi
import numpy as np
import scipy
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, Field
from scipy.special import ndtr


class OptionType(str, Enum):
    call = "call"
    put = "put"


class Columns(BaseModel):
    spot: List[float] = Field(min_items=1)
    strike: List[float]
    risk_free_rate: List[float]
    volatility: List[float]
    time_to_maturity: List[float]
    dividend_yield: List[float]
    option_type: List[OptionType]

    class Config:
        extra = "forbid"


class Request(BaseModel):
    columns: Columns


app = FastAPI()


@app.post("/quantlib/pricing/bs/price/columns")
async def price(request: Request):
    columns = request.columns
    names = ("spot", "strike", "risk_free_rate", "volatility", "time_to_maturity", "dividend_yield")
    spot, strike, rate, volatility, maturity, dividend = (np.array(getattr(columns, name)) for name in names)
    if not (spot > 0).all() or not (strike > 0).all() or (volatility < 0).any() or (maturity < 0).any():
        raise HTTPException(422)
    sign = np.where(np.array([one is OptionType.call for one in columns.option_type]), 1.0, -1.0)
    deviation = volatility * np.sqrt(maturity)
    d1 = (np.log(spot / strike) + (rate - dividend) * maturity) / deviation + deviation / 2
    future = spot * np.exp(-dividend * maturity) * ndtr(sign * d1)
    prices = sign * (future - strike * np.exp(-rate * maturity) * ndtr(sign * (d1 - deviation)))
    return {"success": True, "data": {"columns": {"price": prices.tolist()}}}


@app.get("/readyz")
async def ready():
    return {"fastapi": fastapi.__version__, "numpy": np.__version__, "scipy": scipy.__version__}
