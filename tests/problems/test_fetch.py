"""Instances fetched from a server of our own: checked, cached, and refused in words where something is wrong."""

import gzip
import os
import socket
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.fetching import NAMES, fetch
from metaheur.problems.formats import qaplib
from metaheur.problems.formats.tsplib import read_tsp

TAI12A = "qaplib/tai12a.dat"


class Handler(SimpleHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


class Site:
    """A folder served on 127.0.0.1, and the paths asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        handler = type("Recording", (Handler,), {"asked": self.asked})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def put(self, file: str, content: bytes) -> None:
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "site")
    thread = threading.Thread(target=site.server.serve_forever, args=(0.01,))
    thread.start()
    yield site
    site.server.shutdown()
    thread.join()
    site.server.server_close()


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def tai12a(tmp_path: Path) -> bytes:
    path = tmp_path / "generated"
    qaplib.write_dat(path, *qaplib.taillard(12))
    return path.read_bytes()


@pytest.fixture
def pooch() -> None:
    pytest.importorskip("pooch")


@pytest.fixture
def dead() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.mark.usefixtures("pooch")
@pytest.mark.parametrize("spelt", [bytes, gzip.compress, lambda content: content.replace(b"\n", b" \r\n")])
def test_a_file_of_the_right_content_is_fetched_as_the_site_has_it(
    site: Site, cache: Path, tai12a: bytes, spelt: object
) -> None:
    assert callable(spelt)
    content = spelt(tai12a)
    site.put(TAI12A, content)
    path = fetch("qaplib/tai12a", base_url=site.url, folder=cache)
    assert path == cache / TAI12A
    assert path.read_bytes() == content
    for read, generated in zip(qaplib.read_dat(path), qaplib.taillard(12), strict=True):
        assert np.array_equal(read, generated)


@pytest.mark.usefixtures("pooch")
def test_what_is_in_the_cache_is_not_asked_for_again(site: Site, cache: Path, tai12a: bytes) -> None:
    site.put(TAI12A, tai12a)
    for _ in range(2):
        fetch("qaplib/tai12a", base_url=site.url + "/", folder=cache)
    assert site.asked == ["/" + TAI12A]


@pytest.mark.usefixtures("pooch")
def test_an_instance_is_found_by_its_name_alone(cache: Path, tai12a: bytes) -> None:
    (cache / TAI12A).parent.mkdir(parents=True)
    (cache / TAI12A).write_bytes(tai12a)
    assert fetch("tai12a", folder=cache) == cache / TAI12A


def test_what_is_damaged_in_the_cache_is_fetched_again(site: Site, cache: Path, tai12a: bytes) -> None:
    site.put(TAI12A, tai12a)
    for damaged in (b"", tai12a[:-5], gzip.compress(tai12a, mtime=0)[:-9]):
        (cache / TAI12A).parent.mkdir(parents=True, exist_ok=True)
        (cache / TAI12A).write_bytes(damaged)
        assert fetch("qaplib/tai12a", base_url=site.url, folder=cache).read_bytes() == tai12a
    assert len(site.asked) == 3


@pytest.mark.usefixtures("pooch")
def test_the_mirror_and_the_cache_are_taken_from_the_environment(
    site: Site, cache: Path, tai12a: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.put(TAI12A, tai12a)
    monkeypatch.setenv("METAHEUR_MIRROR", site.url)
    monkeypatch.setenv("METAHEUR_CACHE", str(cache))
    assert fetch("qaplib/tai12a") == cache / "instances" / TAI12A


@pytest.mark.usefixtures("pooch")
def test_a_cache_that_fetch_creates_is_the_users_alone(
    site: Site, tmp_path: Path, tai12a: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.put(TAI12A, tai12a)
    monkeypatch.setenv("METAHEUR_CACHE", str(tmp_path / "cache"))
    before = os.umask(0o002)
    try:
        fetch("qaplib/tai12a", base_url=site.url)
    finally:
        os.umask(before)
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700  # else compiled units could not be kept there


@pytest.mark.usefixtures("pooch")
def test_another_content_is_refused_and_not_kept(site: Site, cache: Path, tai12a: bytes) -> None:
    site.put(TAI12A, tai12a + b"0")
    with pytest.raises(InputError, match="has another content") as caught:
        fetch("qaplib/tai12a", base_url=site.url, folder=cache)
    assert "qaplib/tai12a cannot be downloaded" in caught.value.reason
    assert not [path for path in cache.rglob("*") if path.is_file()]


@pytest.mark.usefixtures("pooch")
def test_a_file_that_the_site_lacks_is_named(site: Site, cache: Path) -> None:
    site.put("index.html", b"")
    with pytest.raises(InputError, match="404") as caught:
        fetch("qaplib/tai12a", base_url=site.url, folder=cache)
    assert f"{site.url}/{TAI12A}" in caught.value.reason
    assert str(cache / TAI12A) in caught.value.maybe


@pytest.mark.usefixtures("pooch")
@pytest.mark.parametrize("name", ["qaplib/tai12a", "tsplib/br17"])
def test_offline_the_way_out_is_shown(dead: str, cache: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be downloaded") as caught:
        fetch(name, base_url=dead, folder=cache)
    assert "offline" in caught.value.maybe
    assert str(cache) in caught.value.maybe


@pytest.mark.usefixtures("pooch")
def test_a_mirror_that_is_no_address_is_refused(cache: Path) -> None:
    for nonsense in ("nonsense", "gopher://127.0.0.1", "http://[", "http://"):
        with pytest.raises(InputError, match="cannot be downloaded"):
            fetch("qaplib/tai12a", base_url=nonsense, folder=cache)


@pytest.mark.usefixtures("pooch")
def test_a_cache_that_cannot_be_written_is_refused(site: Site, cache: Path, tai12a: bytes) -> None:
    site.put(TAI12A, tai12a)
    cache.write_bytes(b"a file, not a folder")
    with pytest.raises(InputError, match="cannot be downloaded"):
        fetch("qaplib/tai12a", base_url=site.url, folder=cache)


def test_without_pooch_the_message_says_what_to_install(
    cache: Path, tai12a: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(InputError, match="downloading it needs pooch, which is not installed") as caught:
        fetch("qaplib/tai12a", folder=cache)
    assert "pip install 'metaheur[data]'" in caught.value.maybe
    assert f"https://www.opt.math.tugraz.at/qaplib/data.d/tai12a.dat to {cache / TAI12A}" in caught.value.maybe
    (cache / TAI12A).parent.mkdir(parents=True)
    (cache / TAI12A).write_bytes(tai12a)
    assert fetch("qaplib/tai12a", folder=cache) == cache / TAI12A


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("tsplib/usa13509", "http://comopt.ifi.uni-heidelberg.de/software/TSPLIB95/tsp/usa13509.tsp.gz"),
        ("tsplib/br17", "http://comopt.ifi.uni-heidelberg.de/software/TSPLIB95/atsp/br17.atsp.gz"),
        ("gset/G1", "https://web.stanford.edu/~yyye/yyye/Gset/G1"),
        ("orlib/mknapcb1", "https://people.brunel.ac.uk/~mastjjb/jeb/orlib/files/mknapcb1.txt"),
    ],
)
def test_each_library_has_its_official_address(
    cache: Path, monkeypatch: pytest.MonkeyPatch, name: str, url: str
) -> None:
    monkeypatch.setitem(sys.modules, "pooch", None)
    monkeypatch.delenv("METAHEUR_MIRROR", raising=False)
    with pytest.raises(InputError) as caught:
        fetch(name, folder=cache)
    assert f"download {url} to" in caught.value.maybe


def test_unknown_names_are_refused_and_close_ones_shown(cache: Path) -> None:
    with pytest.raises(InputError, match=r"`name` must be one of .*NAMES, but is 'qaplib/tai101a'") as caught:
        fetch("qaplib/tai101a", folder=cache)
    assert "qaplib/tai100a" in caught.value.maybe
    with pytest.raises(InputError, match=r"`name` must be one of .*NAMES, but is ''") as caught:
        fetch("", folder=cache)
    assert "NAMES" in caught.value.maybe


@pytest.mark.parametrize("name", [["x"], 5, None, b"qaplib/tai12a", ("qaplib/tai12a",), {}])
def test_what_is_no_name_is_refused(cache: Path, name: Any) -> None:
    with pytest.raises(InputError, match="`name` must be one of"):
        fetch(name, folder=cache)


@pytest.mark.parametrize("base_url", [5, b"http://127.0.0.1", Path("/"), []])
def test_what_is_no_address_is_refused(cache: Path, base_url: Any) -> None:
    with pytest.raises(InputError, match="`base_url` must be an address, but is"):
        fetch("qaplib/tai12a", base_url=base_url, folder=cache)


@pytest.mark.parametrize("folder", [5, [], b"/tmp"])
def test_what_is_no_folder_is_refused(folder: Any) -> None:
    with pytest.raises(InputError, match="`folder` must be a path, but is"):
        fetch("qaplib/tai12a", folder=folder)


@pytest.mark.parametrize("n", qaplib.BEST_KNOWN)
def test_checksums_are_those_of_the_generated_instances(cache: Path, tmp_path: Path, n: int) -> None:
    folder = cache / "qaplib"
    folder.mkdir(parents=True)
    qaplib.write_dat(folder / f"tai{n}a.dat", *qaplib.taillard(n))
    assert fetch(f"qaplib/tai{n}a", folder=cache) == folder / f"tai{n}a.dat"


@pytest.mark.usefixtures("pooch")
def test_every_name_can_be_fetched_from_a_site_that_holds_the_libraries(
    data_folder: Path, site: Site, cache: Path
) -> None:
    places = {"qaplib": "qaplib", "tsplib": "tsplib", "gset": "qubo/gset", "orlib": "knapsack/mkp_orlib"}
    for name in NAMES:
        library, stem = name.split("/")
        file = next((path for path in (data_folder / places[library]).glob(f"{stem}.*sp")), None)
        if file:
            site.put(f"tsplib/{file.name}.gz", gzip.compress(file.read_bytes(), mtime=0))
        elif stem.startswith("bqp"):  # ten instances, which the folder holds apart
            parts = [data_folder / "qubo" / "bqp" / f"{stem}.{k}.txt" for k in range(1, 11)]
            site.put(f"orlib/{stem}.txt", b"10\n" + b"\n".join(part.read_bytes() for part in parts))
        else:
            suffix = {"qaplib": ".dat", "gset": "", "orlib": ".txt"}[library]
            held = data_folder / places[library] / f"{stem}{suffix or '.txt'}"
            site.put(f"{library}/{stem}{suffix}", held.read_bytes())
        assert fetch(name, base_url=site.url, folder=cache).is_file()
    assert read_tsp(fetch("tsplib/usa13509", base_url=site.url, folder=cache)).dimension == 13509
