"""The files under deploy: they are understood by the programs that read them, and say what the server needs."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
INSTRUCTIONS = {
    *("ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "RUN", "SHELL"),
    *("STOPSIGNAL", "USER", "VOLUME", "WORKDIR"),
}
# A name of an image, with an optional owner and tag; a host would have a dot or a port before the first slash.
IMAGE = re.compile(r"(?:[a-z0-9_-]+/)?[a-z0-9_-]+(?::[a-z0-9.-]+)?")
SERVICE = {
    *("image", "build", "command", "environment", "volumes", "healthcheck", "restart", "stop_grace_period"),
    *("depends_on", "ports", "read_only", "tmpfs", "cap_drop", "security_opt"),
}


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile with their words."""
    lines = (DEPLOY / "Containerfile").read_text(encoding="utf-8").splitlines()
    return [
        (word, rest) for line in lines if line and not line.startswith("#") for word, _, rest in [line.partition(" ")]
    ]


@pytest.fixture
def compose() -> dict:
    """The compose file."""
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_every_instruction_is_known() -> None:
    """Y-03: the container file begins with an image, and has nothing that builders do not know."""
    found = instructions()
    assert found[0][0] == "FROM"
    assert {word for word, _ in found} <= INSTRUCTIONS


@pytest.mark.parametrize("word", ["ENTRYPOINT", "CMD"])
def test_commands_are_lists(word: str) -> None:
    """Y-03: the server is the first process and gets the signal to end; no shell stands between."""
    (rest,) = [rest for name, rest in instructions() if name == word]
    assert all(isinstance(each, str) for each in json.loads(rest))


def test_the_server_is_nobody_in_particular() -> None:
    """Y-03: the last user is not root, and no secret is part of the image."""
    users = [rest for word, rest in instructions() if word == "USER"]
    assert users[-1] not in ("root", "0")
    assert not [rest for word, rest in instructions() if word in ("ENV", "ARG") and "PASSWORD" in rest.upper()]


def test_the_image_has_what_answers_are_kept_by() -> None:
    """Y-03: an answer becomes a commit or a patch by git, which an image of Python alone has not."""
    found = instructions()
    last = max(place for place, (word, _) in enumerate(found) if word == "FROM")
    assert any(word == "RUN" and "git" in shlex.split(rest) for word, rest in found[last:])


def test_images_are_named_without_a_host(compose: dict) -> None:
    """Y-03: where images come from is each machine's own setting."""
    named = [shlex.split(rest)[0] for word, rest in instructions() if word == "FROM"]
    named += [service["image"] for service in compose["services"].values()]
    assert [name for name in named if not IMAGE.fullmatch(name)] == []


def test_the_parts_fit_together(compose: dict) -> None:
    """Y-03: services have known members, wait for services that are there, and mount what is there."""
    services = compose["services"]
    for name, service in services.items():
        assert set(service) <= SERVICE, name
        assert set(service.get("depends_on", {})) <= set(services)
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith(".") else source in compose["volumes"]
    assert (DEPLOY / services["tables"]["build"]["context"] / services["tables"]["build"]["dockerfile"]).is_file()


def test_no_password_is_given_away(compose: dict) -> None:
    """Y-03: passwords come from the environment, and without one nothing starts; the server is not the owner."""
    services = compose["services"]
    said = [str(value) for service in services.values() for value in service.get("environment", {}).values()]
    for password in re.findall(r"PASSWORD[^\s\"']*|(?<=:)[^/@]+(?=@)", " ".join(said)):
        assert password.startswith(("${", "PASSWORD"))
        assert ":?" in password
    assert "tacit_server:" in services["server"]["environment"]["TACIT_POSTGRES_URL"]
    assert services["server"]["ports"] == ["127.0.0.1:8080:8080"]
