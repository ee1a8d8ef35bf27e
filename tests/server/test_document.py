"""The OpenAPI document against the running server: what it allows is answered as it says, and never by a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tacit.bank import wiring
from tests.postgres import database
from tests.server import running

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.postgres
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# A bounded set; TACIT_SCHEMATHESIS_EXAMPLES asks for more.
EXAMPLES = os.environ.get("TACIT_SCHEMATHESIS_EXAMPLES", "15")


@pytest.mark.parametrize("role", ["reader", "writer"])
def test_the_server_is_as_its_document_says(postgres: str, role: str, tmp_path: Path) -> None:
    """Y-03: schemathesis, which makes requests of the document, finds no server error and no undescribed answer."""
    if find_spec("schemathesis") is None:
        pytest.skip("schemathesis is not installed: pip install 'tacit[dev]'")
    with database(postgres) as url, running.login(url) as login:
        token = wiring.issuer(url).create("acme", "", role)[1]
        serving = running.start(login, "--port", "0", "--rate", "1000000")
        try:
            words = ("run", f"{running.address_of(serving)}/openapi.json", "-H", f"Authorization: Bearer {token}")
            done = subprocess.run(
                [
                    *(sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", *words),
                    *(
                        "--checks",
                        CHECKS,
                        "--max-examples",
                        EXAMPLES,
                        "--seed",
                        "1",
                        "--phases",
                        "examples,coverage,fuzzing",
                    ),
                ],
                capture_output=True,
                text=True,
                encoding="utf-8",
                cwd=tmp_path,
                check=False,
                timeout=280,
            )
        finally:
            assert running.stop(serving) == 0
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
