"""`metorikku completion SHELL`: what a shell needs to complete our commands, by argcomplete."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError

if TYPE_CHECKING:
    import argparse

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
# Set by the code of the shell when it asks for completions.
ASKED = "_ARGCOMPLETE"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "completion",
        help="print the code by which a shell completes our commands",
        description='Prints code for your shell\'s start file, as: eval "$(metorikku completion bash)" in '
        "~/.bashrc, or metorikku completion fish > ~/.config/fish/completions/metorikku.fish",
        epilog="exit codes: 0 printed, 3 argcomplete is not installed",
    )
    parser.add_argument("shell", choices=SHELLS, help="shell")
    parser.set_defaults(command=show_completion)


def show_completion(options: argparse.Namespace) -> int:
    """Print the shell's code."""
    try:
        from argcomplete.shell_integration import shellcode
    except ImportError:
        raise RunError("argcomplete is not installed: pip install argcomplete") from None
    sys.stdout.write(f"{shellcode(['metorikku'], shell=options.shell)}\n")
    return 0


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks, and end; in every other call do nothing, not even import."""
    if ASKED in os.environ:
        import argcomplete

        argcomplete.autocomplete(parser)
