# SPDX-License-Identifier: GPL-2.0-or-later
"""Style results when QGIS adds them to the map."""
