"""The usual way to judge scores over HTTP: FastAPI validates the columns, scikit-learn computes. Nothing is charged or stored."""

from typing import List

import fastapi
import numpy as np
import sklearn
from fastapi import FastAPI
from pydantic import BaseModel, Field
from sklearn.metrics import auc, roc_curve


class Request(BaseModel):
    y_true: List[int] = Field(min_items=2)
    y_score: List[float]

    class Config:
        extra = "forbid"


app = FastAPI()


@app.post("/quantlib/ml/credit/discrimination")
def discrimination(request: Request):
    false_positives, true_positives, _ = roc_curve(np.array(request.y_true), np.array(request.y_score))
    area = auc(false_positives, true_positives)
    ks = float(np.max(true_positives - false_positives))
    return {"success": True, "data": {"auc": area, "gini": 2 * area - 1, "ks": ks}}


@app.get("/readyz")
async def ready():
    return {"fastapi": fastapi.__version__, "scikit-learn": sklearn.__version__}
