"""Turn coordinates into published counts, with NumPy and nothing else.

The rooms are in the order of the data, from ``common`` and ``privacy`` to ``publish`` and
``pictures``. A module imports only from modules before it: docs/architecture.md lists them all. The
QGIS plugin carries this folder as it is, and enters by ``host``. No names are imported here: the
first of them would load the whole core.
"""
