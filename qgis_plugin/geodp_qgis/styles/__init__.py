# SPDX-License-Identifier: GPL-2.0-or-later
"""How results look when QGIS adds them to the map."""
