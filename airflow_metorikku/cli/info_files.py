"""`_INFO` files as the command line reads them: local ones, and remote ones by fsspec."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.remote import FsspecStore, is_remote, path_of, reason
from airflow_metorikku.errors import ConfigError, Problem
from airflow_metorikku.results.info import Info, UnreadableInfoError, read_info

if TYPE_CHECKING:
    from pathlib import Path

INFO_FILE = "_INFO"
MOST = 64 * 2**20
"""Bytes; a file of measures has some thousands."""


def info_at(address: str) -> Info:
    """The file at an address, or in a folder there; raises ConfigError with the path and what was found."""
    try:
        return read_info(_text(address), address)
    except UnreadableInfoError as error:
        text = str(error).removeprefix(f"{address}: ")
        raise wrong(address, text) from error
    except FileNotFoundError:
        raise wrong(address, "is not there, expected an _INFO file") from None
    except UnicodeDecodeError as error:
        raise wrong(address, f"not text in UTF-8: {error}") from error
    except Exception as error:
        raise wrong(address, f"cannot be read: {reason(error)}") from error


def wrong(file: str, text: str) -> ConfigError:
    """One mistake of the user's."""
    return ConfigError([Problem(file=file, line=0, path="", text=text)])


def _text(address: str) -> str:
    if is_remote(address):
        store = FsspecStore()
        path = f"{address.rstrip('/')}/{INFO_FILE}" if address.endswith("/") else address
        return store.read(path, MOST).decode("utf-8")
    local: Path = path_of(address)
    return (local / INFO_FILE if local.is_dir() else local).read_text(encoding="utf-8")
