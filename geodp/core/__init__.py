"""Turn coordinates into published counts, with NumPy and nothing else.

The rooms are in the order of the data: common, privacy, space, regions, records, counts, kernel,
mechanisms, estimates, releases, publish. A module imports only from rooms before its own;
docs/architecture.md has every module in its order. The QGIS plugin carries this folder as it is,
and enters by ``host``. No names are imported here: the first of them would load the whole core.
"""
