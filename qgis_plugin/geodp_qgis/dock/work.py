# SPDX-License-Identifier: GPL-2.0-or-later
"""Work in another thread that can be ended for sure, before what it reads is deleted."""

from threading import Event, Lock

from qgis.core import QgsProcessingException, QgsProcessingFeedback, QgsTask

from ..adapters import Cancelled, crs_of_this_thread
from ..algorithms.base import sentence
from ..library import geodp
from ..translation import tr

PATIENCE = 30
"""Seconds that a thread is waited for, once it was told to end."""


class Work(QgsTask):
    """``carry_out`` runs in the background; then ``done(work)`` in the main thread.

    Layers stay in the main thread and are read from this one, and QGIS deletes a layer that is
    removed without asking. So whoever sees it go calls ``end`` first.

    Attributes
    ----------
    message : str
        Why it failed, in a sentence.
    is_cancelled : bool
        Whether it was told to end, and did. To QGIS that is no failure.
    """

    def __init__(self, title, flags, done, feedback=None):
        super().__init__(title, flags)
        self.message, self.is_cancelled, self._title = "", False, title
        self.feedback = QgsProcessingFeedback(False) if feedback is None else feedback
        self._done = done
        self._lock, self._is_busy, self._over = Lock(), False, Event()

    def carry_out(self):
        """Do the work; wherever it may be cancelled, look at ``feedback``."""
        raise NotImplementedError

    def cancel(self):
        self.feedback.cancel()
        self.setDescription(tr("{}, cancelled").format(self._title))  # QGIS says it is complete
        super().cancel()

    def end(self):
        """Cancel, and come back when the thread reads nothing any more."""
        self.cancel()
        with self._lock:
            is_busy = self._is_busy
        if is_busy:
            self._over.wait(PATIENCE)

    def run(self):
        with self._lock:
            if self.feedback.isCanceled():
                self.is_cancelled = True
                return True
            self._is_busy = True
        try:
            with crs_of_this_thread():
                self.carry_out()
        except Cancelled:
            self.is_cancelled = True
        except (geodp.GeodpError, QgsProcessingException) as error:
            self.message = sentence(error)
            self.is_cancelled = self.feedback.isCanceled()
            return self.is_cancelled
        except MemoryError:
            self.message = tr("There is not enough memory for so many cells: use fewer.")
            return False
        finally:
            self._over.set()
        return True

    def forget(self):
        """Tell nobody of the end."""
        self._done = None

    def finished(self, successful):
        if self._done is not None:
            self._done(self, successful and not self.is_cancelled)
