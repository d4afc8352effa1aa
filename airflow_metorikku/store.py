"""The store of results as Airflow reaches it: any address that ObjectStoragePath knows."""

from __future__ import annotations

from airflow.sdk import ObjectStoragePath


def read_text(address: str) -> str | None:
    """The text at an address, None when nothing is there; whatever else goes wrong is raised.

    `exists()` is not asked: some file systems answer False when they cannot be reached.
    """
    try:
        return str(ObjectStoragePath(address).read_bytes(), "utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None


def write_text(address: str, text: str) -> None:
    """Put a small text at an address, with the folders above it where there are folders."""
    path = ObjectStoragePath(address)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
