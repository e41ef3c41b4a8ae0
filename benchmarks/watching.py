"""Looks at something again and again while a block runs, at least once."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def looked_at(look: Callable[[], None], seconds: float) -> Generator[None, None, None]:
    over = threading.Event()

    def watch() -> None:
        while True:
            look()
            if over.wait(seconds):
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
