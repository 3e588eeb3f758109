# SPDX-License-Identifier: GPL-2.0-or-later
"""One run of an algorithm in the background, as the dialog's own, with its layers added."""

from qgis.core import (
    QgsApplication,
    QgsLayerTreeRegistryBridge,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingUtils,
    QgsProject,
    QgsTask,
)
from qgis.gui import QgsGui
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..algorithms.private_histogram import OUTPUT_HTML, OUTPUT_RASTER, OUTPUT_VECTOR
from ..algorithms.private_polygons import OUTPUT
from ..translation import tr
from .state import chosen_algorithm
from .work import Work


class Feedback(QgsProcessingFeedback):
    """Hands on from the other thread what people should see; QGIS's log has all of it."""

    said = pyqtSignal(str)

    def setProgressText(self, text):
        super().setProgressText(text)
        self.said.emit(text)


def project_context():
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    return context


def algorithm(parameters):
    """Make a new algorithm of the kind that a call is of."""
    return QgsApplication.processingRegistry().createAlgorithmById(chosen_algorithm(parameters))


def refusal(parameters):
    """Say why a call would be refused, in a sentence; empty if it would not."""
    ok, message = algorithm(parameters).checkParameterValues(parameters, project_context())
    return "" if ok else message


def call_in_words(parameters):
    """Write the call as Python has it, as the dialog copies it."""
    return algorithm(parameters).asPythonCommand(parameters, project_context())


def note_in_history(parameters):
    """Enter a call into Processing's history and its recent algorithms, as the dialog does."""
    call, context = algorithm(parameters), project_context()
    command = call.asPythonCommand(parameters, context)
    registry = getattr(QgsGui, "historyProviderRegistry", None)  # since 3.24
    if registry is not None:
        details = {
            "python_command": command,
            "algorithm_id": call.id(),
            "parameters": call.asMap(parameters, context),
        }
        registry().addEntry("processing", details)
    else:
        from processing.core.ProcessingLog import ProcessingLog

        ProcessingLog.addToLog(command)
    QgsGui.instance().processingRecentAlgorithmLog().push(call.id())


def add_on_top(layer, project):
    """Add a layer above all others, not where the current one is; then it is put in its place."""
    top = QgsLayerTreeRegistryBridge.InsertionPoint(project.layerTreeRoot(), 0)
    project.layerTreeRegistryBridge().setLayerInsertionPoint(top)
    project.addMapLayer(layer)


class MapMaking(Work):
    """The algorithm, prepared in the main thread and run in another."""

    def __init__(self, parameters, done):
        super().__init__(tr("Private map"), QgsTask.Flag.CanCancel, done, Feedback())
        project = QgsProject.instance()
        layers = {
            name: QgsProcessingOutputLayerDefinition(parameters[name], project)
            for name in (OUTPUT_RASTER, OUTPUT_VECTOR, OUTPUT)
            if name in parameters
        }
        self._given, self._results = {**parameters, **layers}, {}
        self._algorithm, self.context = algorithm(parameters), project_context()

    def prepare(self):
        """Tell whether it can run; what is wrong is in ``message``."""
        try:
            return self._algorithm.prepare(self._given, self.context, self.feedback)
        except QgsProcessingException as error:
            self.message = str(error)
            return False

    def carry_out(self):
        self._results = self._algorithm.runPrepared(self._given, self.context, self.feedback)

    @property
    def page(self):
        """Return the report page that was written, or nothing."""
        return self._results.get(OUTPUT_HTML, "")

    def load(self):
        """Add what was made to the project, as Processing does; what went wrong, if anything."""
        self._algorithm.postProcess(self.context, self.feedback)
        for name, details in self.context.layersToLoadOnCompletion().items():
            layer = QgsProcessingUtils.mapLayerFromString(name, self.context)
            if layer is None:
                return tr("The map was made but cannot be opened: {}").format(name)
            details.setOutputLayerName(layer)
            self.context.temporaryLayerStore().takeMapLayer(layer)
            add_on_top(layer, details.project)
            if details.postProcessor():
                details.postProcessor().postProcessLayer(layer, self.context, self.feedback)
        return ""


class Running(QObject):
    """Starts runs, one at a time.

    Signals
    -------
    progressed : float
        Per cent.
    said : str
        The step that was begun.
    ended : bool, str
        Whether the map was made, and why not.
    """

    progressed = pyqtSignal(float)
    said = pyqtSignal(str)
    ended = pyqtSignal(bool, str)

    def __init__(self, parent=None):
        super().__init__(parent)
        self._work, self._layers, self.page = None, [], ""

    @property
    def is_active(self):
        return self._work is not None

    def start(self, parameters, layers):
        """Run in the background, reading layers of these ids."""
        work = MapMaking(parameters, self._finish)
        work.feedback.progressChanged.connect(self.progressed)
        work.feedback.said.connect(self.said)
        if not work.prepare():
            self.ended.emit(False, work.message)
            return
        self._work, self._layers, self.page = work, layers, ""
        note_in_history(parameters)
        QgsApplication.taskManager().addTask(work)

    def cancel(self):
        if self._work is not None:
            self._work.cancel()

    def release(self, layer):
        """End the run if it reads the layer of this id, which is about to go."""
        if self._work is not None and layer in self._layers:
            self._work.end()

    def leave(self):
        """End the run, and hear nothing more of it."""
        if self._work is not None:
            self._work.forget()
            self._work.end()
            self._work = None

    def _finish(self, work, successful):
        try:
            message = work.load() if successful else work.message
            self.page = work.page
        finally:
            self._work = None
        if not successful and not message:
            message = tr("Cancelled: nothing was read, no budget is spent.")
        self.ended.emit(not message, message)
