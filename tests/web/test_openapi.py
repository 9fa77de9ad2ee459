"""The OpenAPI document is checked in, tells the truth, and requests made from it never break the server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from lawful.web.app import create_app
from lawful.web.settings import Settings

WRITTEN = Path(__file__).parents[2] / "docs" / "openapi.json"
APP = create_app(Settings(workers=2, seconds=3, listed=50, names=("testserver",)))


def test_the_document_that_is_checked_in_is_that_of_the_server(client: TestClient) -> None:
    """Write it anew with ``lawful serve --openapi > docs/openapi.json``."""
    served = client.get("/api/v1/openapi.json").json()
    assert {**served, "info": {**served["info"], "version": ""}} == json.loads(WRITTEN.read_text(encoding="utf8"))


@pytest.fixture(scope="module")
def running() -> object:
    with TestClient(APP):
        yield


schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", APP)


@schema.parametrize()
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_requests_made_from_the_document(case: schemathesis.Case, running: object) -> None:
    answer = case.call()
    assert answer.status_code < 500
    if answer.status_code != 413:  # which is a refusal that the checks do not know
        # A text may be no cost and no case: that is not said by a schema.
        case.validate_response(answer, excluded_checks=[positive_data_acceptance])
