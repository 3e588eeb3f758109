"""Silence GDAL: its messages about private layers reach neither terminal, log nor warning.

GDAL's messages quote values: ``Several features with id = 9188273645``. They come out in three
ways. In the thread that imported pyogrio a handler of pyogrio turns them into Python warnings. In
all other threads, among them those that GDAL itself starts to read GeoPackages ahead, GDAL writes
them to the standard error stream, past Python. And rasterio hands them to Python's logging.

So GDAL's own silent handler is put in the place of the others, both of this thread and of the
process, in each copy of GDAL that a package has brought along. Nothing of that runs Python code,
which a thread of GDAL could wait for in vain. Where the functions for it cannot be found, as may be
in builds that hide them, the standard error stream itself is redirected meanwhile.
"""

from __future__ import annotations

import ctypes
import logging
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

_PACKAGES = ("pyogrio", "rasterio")

_MOST_LEFT = 16
"""Handlers of others above ours, which are taken off with it."""

_lock = threading.Lock()
_inside = 0
_undo = ExitStack()


@contextmanager
def quiet_gdal() -> Iterator[None]:
    """Keep GDAL from saying anything, in any thread, until the block ends.

    Hold it around calls of pyogrio and rasterio, for as short as possible: meanwhile Python's
    warnings are ignored in the whole process. It may be entered again from the same thread and
    from others. Exceptions are raised as ever, and their text is still GDAL's: replace them.

    Examples
    --------
    >>> import pyogrio
    >>> with quiet_gdal():
    ...     drivers = pyogrio.list_drivers()
    """
    global _inside, _undo
    import pyogrio._err  # noqa: F401  (its handler must be there before ours)

    with _lock:
        _inside += 1
        if _inside == 1:
            _undo = _silenced_process()
    libraries = [library for library in _libraries() if library is not None]
    for library in libraries:
        _push(library)
    thread = threading.get_ident()
    try:
        yield
    finally:
        # A generator may be closed by another thread, whose handlers are not ours to remove.
        if thread == threading.get_ident():
            for library in libraries:
                _pop(library)
        with _lock:
            _inside -= 1
            if _inside == 0:
                _undo.close()


def _silenced_process() -> ExitStack:
    """Silence all that is common to threads; closing the answer undoes it."""
    stack = ExitStack()
    stack.enter_context(warnings.catch_warnings())
    warnings.simplefilter("ignore")
    stack.enter_context(_without_logging())
    for library in _libraries():
        stack.enter_context(_without_stderr() if library is None else _without_handler(library))
    return stack


# --- copies of GDAL ------------------------------------------------------------------------------


def _libraries() -> list[Any]:
    """Return the copies of GDAL in use; None in place of one that cannot be reached."""
    loaded = [name for name in _PACKAGES if f"{name}._err" in sys.modules]
    return [_library(name) for name in loaded]


_loaded: dict[str, Any] = {}


def _library(package: str) -> Any:
    """Load the functions of the GDAL that a package uses, once.

    They are looked up from an extension module of the package, on whose behalf the operating
    system also looks into the libraries it is linked to; Windows does not, and wheels for it keep
    theirs in a folder beside the package.
    """
    if package not in _loaded:
        extension = Path(str(sys.modules[f"{package}._err"].__file__))
        beside = extension.parents[1] / f"{package}.libs"
        places = [extension, *sorted(beside.glob("*gdal*"))]
        _loaded[package] = next(filter(None, map(_opened, places)), None)
    return _loaded[package]


def _opened(path: Path) -> Any:
    try:
        library: Any = ctypes.CDLL(str(path))
        library.quiet = ctypes.cast(library.CPLQuietErrorHandler, ctypes.c_void_p)
        library.by_thread = threading.local()
        for name in ("CPLSetErrorHandler", "CPLPushErrorHandler"):
            getattr(library, name).argtypes = [ctypes.c_void_p]
        library.CPLSetErrorHandler.restype = ctypes.c_void_p
        library.CPLGetErrorHandler.argtypes = [ctypes.c_void_p]
        library.CPLGetErrorHandler.restype = ctypes.c_void_p
        library.CPLPopErrorHandler.argtypes = []
        library.CPLGetConfigOption.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        library.CPLGetConfigOption.restype = ctypes.c_char_p
        library.CPLSetConfigOption.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
    except (OSError, AttributeError):
        return None
    return library


def _push(library: Any) -> None:
    """Put the silent handler on this thread's stack."""
    held = library.by_thread.__dict__
    if not held.get("count"):
        held["before"] = library.CPLGetErrorHandler(None)
    held["count"] = held.get("count", 0) + 1
    library.CPLPushErrorHandler(library.quiet)


def _pop(library: Any) -> None:
    """Take it off again.

    Where opening a file fails, pyogrio leaves a handler of its own on the stack, above ours. Then
    the last to leave takes off as many as are too many.
    """
    held = library.by_thread.__dict__
    held["count"] -= 1
    library.CPLPopErrorHandler()
    for _ in range(0 if held["count"] else _MOST_LEFT):
        now = library.CPLGetErrorHandler(None)
        if now == held["before"] or now != library.quiet.value:
            return
        library.CPLPopErrorHandler()


@contextmanager
def _without_handler(library: Any) -> Iterator[None]:
    """Put the silent handler in the place of the one for threads that have none of their own."""
    debug = library.CPLGetConfigOption(b"CPL_DEBUG", None)
    library.CPLSetConfigOption(b"CPL_DEBUG", b"OFF")  # the silent handler lets these through
    before = library.CPLSetErrorHandler(library.quiet)
    try:
        yield
    finally:
        library.CPLSetErrorHandler(before)
        library.CPLSetConfigOption(b"CPL_DEBUG", debug)


# --- Python --------------------------------------------------------------------------------------


@contextmanager
def _without_logging() -> Iterator[None]:
    """Disable the loggers of the packages."""
    known = [logging.getLogger(name) for name in _PACKAGES]
    known += [
        logger
        for name, logger in list(logging.root.manager.loggerDict.items())
        if isinstance(logger, logging.Logger) and name.split(".")[0] in _PACKAGES
    ]
    before = [(logger, logger.disabled) for logger in dict.fromkeys(known)]
    for logger, _ in before:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in before:
            logger.disabled = disabled


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Lead the standard error stream away, save for what Python writes to ``sys.stderr``.

    What is lost: messages of other libraries that write past Python, and of objects that hold the
    former ``sys.stderr``, such as handlers of logging.
    """
    before = sys.stderr
    with ExitStack() as stack:
        try:
            kept = os.dup(2)
        except OSError:  # the stream is closed
            yield
            return
        stack.callback(os.close, kept)
        if _is_stderr(before):
            before.flush()
            sys.stderr = open(os.dup(kept), "w", buffering=1, encoding=before.encoding)  # noqa: SIM115
            stack.callback(_restore, before, sys.stderr)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        try:
            yield
        finally:
            os.dup2(kept, 2)


def _is_stderr(stream: Any) -> bool:
    try:
        return bool(stream.fileno() == 2)
    except (AttributeError, OSError, ValueError):
        return False


def _restore(before: Any, meanwhile: Any) -> None:
    if sys.stderr is meanwhile:
        sys.stderr = before
    meanwhile.close()
