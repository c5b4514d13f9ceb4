"""Objects of remote storage: each is found once, whatever the folders are like, and folders are none."""

from __future__ import annotations

import random
from collections.abc import Iterator

import boto3
import fsspec
import pytest
from moto.server import ThreadedMotoServer

from docbeam.transforms.remote_listing import ENOUGH_SUBTREES, objects_below

NAMES = ["a.txt", "b/c.txt", "b/d/e.txt", "b/d/f/g.txt", "b//odd.txt", "b/", "x/", "z/z", "p/q/r/s/t/u/v.txt", "b.txt"]
NAMES += [f"many/{folder:03d}/{number}.txt" for folder in range(ENOUGH_SUBTREES + 3) for number in range(2)]


@pytest.fixture(scope="module")
def bucket() -> Iterator[fsspec.AbstractFileSystem]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    plain = boto3.client("s3", endpoint_url=url, aws_access_key_id="k", aws_secret_access_key="s", region_name="us-east-1")
    plain.create_bucket(Bucket="listing")
    for name in NAMES:
        plain.put_object(Bucket="listing", Key=name, Body=b"" if name.endswith("/") else b"x")
    yield fsspec.filesystem("s3", endpoint_url=url, key="k", secret="s")
    server.stop()


@pytest.mark.parametrize("below", ["", "b", "many", "many/001", "a.txt", "p/q", "x"])
def test_every_object_of_a_bucket_is_found_once(bucket: fsspec.AbstractFileSystem, below: str) -> None:
    found = sorted(entry.path for entry in objects_below(bucket, f"listing/{below}".rstrip("/")))
    assert found == sorted(
        f"listing/{name}"
        for name in NAMES
        if not name.endswith("/") and (name == below or f"{name}/".startswith(f"{below}/".lstrip("/")))
    )


def test_a_random_tree_is_found_as_a_flat_listing_finds_it() -> None:
    fs, chance = fsspec.filesystem("memory"), random.Random(5)
    for _ in range(300):
        parts = [chance.choice("abcd") for _ in range(chance.randrange(1, 7))]
        fs.pipe_file(f"/random/{'/'.join(parts)}.{chance.randrange(9)}", b"x")
    found = [entry.path for entry in objects_below(fs, "/random")]
    assert len(found) == len(set(found)) and set(found) == set(fs.find("/random"))
    fs.rm("/random", recursive=True)
