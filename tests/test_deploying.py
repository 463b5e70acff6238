"""The examples of docs/deploying.md, run with the real programs where they are installed."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from awaited import NET, until
from perfectplay.cli import main
from perfectplay.web.access import COOKIE
from test_serve import Served, served

EXAMPLES = Path(__file__).parent.parent / "examples" / "deploying"
WORD = "a-word-for-the-class"
NAME = "games.example.org"
OPTIONS = ("--prefix", "/games", "--proxy", "127.0.0.1", "--allow-host", NAME, "--token", WORD)


def program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def example(name: str, changes: dict[str, str]) -> str:
    """A file of the examples, with what is different on this machine."""
    text = (EXAMPLES / name).read_text()
    for before, after in changes.items():
        assert before in text, before
        text = text.replace(before, after)
    return text


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    place = tmp_path_factory.mktemp("certificate")
    command = [program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    files = ["-keyout", str(place / "key.pem"), "-out", str(place / "certificate.pem")]
    subprocess.run([*command, *names, *files], check=True, capture_output=True)
    return place


@pytest.fixture(scope="module")
def server():
    with served(*OPTIONS, "--workers", "2") as server:
        yield server


@contextmanager
def running(command: list[str], port: int, log: Path) -> Iterator[None]:
    """A proxy that listens there."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
        try:
            until(lambda: process.poll() is not None or _answers(port))
            assert process.poll() is None, log.read_text()
            yield
        finally:
            process.terminate()
            process.wait()


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def behind_nginx(server: Served, port: int, certificate: Path, place: Path) -> list[str]:
    site = example(
        "nginx.conf",
        {
            "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            "127.0.0.1:8765": httpx.URL(server.address).netloc.decode(),
            "/etc/ssl/certs/games.example.org.pem": str(certificate / "certificate.pem"),
            "/etc/ssl/private/games.example.org.key": str(certificate / "key.pem"),
        },
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {place}/{kind};" for kind in kinds)
    (place / "nginx.conf").write_text(
        f"pid {place}/pid; error_log stderr; daemon off; worker_processes 1; events {{ }}\n"
        f"http {{ access_log off; {temporary}\n{site}\n}}\n"
    )
    command = [program("nginx"), "-p", str(place), "-c", str(place / "nginx.conf"), "-e", "stderr"]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    return command


def behind_caddy(server: Served, port: int, certificate: Path, place: Path) -> list[str]:
    files = f"{certificate / 'certificate.pem'} {certificate / 'key.pem'}"
    site = example(
        "Caddyfile",
        {
            "\ngames.example.org {": f"\nhttps://{NAME}:{port} {{\n\tbind 127.0.0.1\n\ttls {files}",
            "127.0.0.1:8765": httpx.URL(server.address).netloc.decode(),
        },
    )
    (place / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{site}")
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(place / "Caddyfile")]
    subprocess.run([command[0], "validate", *command[2:]], check=True, capture_output=True)
    return command


@pytest.mark.slow
@pytest.mark.parametrize("proxy", [behind_nginx, behind_caddy])
def test_a_class_comes_in_through_a_proxy_with_encryption(proxy, server, certificate, tmp_path):
    port = free_port()
    command = proxy(server, port, certificate, tmp_path)
    with (
        running(command, port, tmp_path / "log"),
        httpx.Client(
            base_url=f"https://127.0.0.1:{port}", verify=False, timeout=NET, trust_env=False
        ) as client,
    ):
        client.headers["Host"] = NAME
        named = {"extensions": {"sni_hostname": NAME}}
        page = client.get("/games/", **named)
        assert (page.status_code, "perfectplay" in page.text) == (200, True)
        files = re.findall(r'(?:href|src)="(/games/static/[^"]+)"', page.text)
        assert client.get(files[0], **named).status_code == 200
        assert client.get("/games/api/games", **named).status_code == 401
        invited = client.get(f"/games/?invitation={WORD}", **named)
        assert (invited.status_code, invited.headers["location"]) == (303, "/games/")
        assert "; Secure" in invited.headers["set-cookie"]
        cookie = {"Cookie": invited.headers["set-cookie"].partition(";")[0], "Origin": f"https://{NAME}"}
        assert cookie["Cookie"].startswith(f"{COOKIE}=")
        asked = {"headers": cookie, **named}
        assert client.post("/games/api/position", json={"game": "nim"}, **asked).status_code == 200
        elsewhere = {"headers": cookie | {"Origin": "https://evil.example"}, **named}
        assert client.post("/games/api/position", json={"game": "nim"}, **elsewhere).status_code == 403
        question = {"game": "connect-four", "seconds": 60}
        with client.stream("POST", "/games/api/analyse", json=question, **asked) as stream:
            lines = stream.iter_lines()
            assert any(line == "event: depth" for line in lines)  # long before its end
        health = "/games/healthz"
        until(lambda: client.get(health, **named).json()["running"] == 0)


@pytest.mark.slow
def test_the_unit_of_systemd_is_one(tmp_path):
    command = program("systemd-analyze")
    unit = tmp_path / "perfectplay.service"
    unit.write_text(example("perfectplay.service", {"/opt/perfectplay/bin/perfectplay": "/bin/true"}))
    done = subprocess.run([command, "verify", str(unit)], capture_output=True, text=True)
    assert (done.returncode, [line for line in done.stderr.splitlines() if "perfectplay" in line]) == (0, [])


def test_the_container_copies_what_a_checkout_has_and_no_environment_beside_it():
    copied = [
        word
        for line in (EXAMPLES / "Containerfile").read_text().splitlines()
        if line.startswith("COPY")
        for word in line.split()[1:-1]
    ]
    assert {"src", "pyproject.toml"} <= {*copied}
    assert "." not in copied
    assert [name for name in copied if not (EXAMPLES.parents[1] / name).exists()] == []


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile", "perfectplay.service", "Containerfile"])
def test_every_option_of_the_examples_is_one(name, capsys):
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    known = capsys.readouterr().out
    text = (EXAMPLES / name).read_text()
    lines = [line for line in text.splitlines() if '"serve"' in line or "perfectplay serve" in line]
    used = re.findall(r"--[a-z-]+", " ".join(lines))
    assert used
    assert [option for option in used if option not in known] == []
