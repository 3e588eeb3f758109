"""Offer what a host such as the QGIS plugin uses of the core: one door, and all names of it."""

from __future__ import annotations

from .cells.district_cells import DistrictCells
from .common.atomic import check_target, whole_file
from .common.errors import Cancelled, CrsError, FileError, GeodpError, InputError, reworded
from .common.language import language_by_code, languages
from .common.phrases import Number, Phrase
from .common.text import for_qgis
from .districts.district_layer import named_rows, naming_column
from .districts.districts import DistrictMap
from .estimates.queries import RegionQuery, answer_columns
from .estimates.ratios import rates
from .forecasts.forecast import forecast
from .pictures.marks import nice_length
from .pictures.page import DETAIL, list_regions, naming, shown_groups
from .pictures.report import report_page
from .pipeline.district_kind import Districts
from .pipeline.guard import check_domain, check_spend
from .pipeline.hexagon_kind import Hexagons
from .pipeline.kinds import Adaptive, Regular, kind_word
from .pipeline.pipeline import release
from .privacy.budget import Budget
from .privacy.ledger import Ledger
from .privacy.protection import Feature, Person, Record
from .privacy.unit import Unit
from .publish.bands import release_image
from .publish.columns import band_names, cell_columns
from .publish.difference_bands import (
    difference_abstract,
    difference_image,
    difference_statements,
    difference_tags,
    difference_title,
)
from .publish.metadata import changed, release_tags, view_tags
from .publish.qgis_files import files_beside, geopackage_statements, style_files
from .publish.qgis_style import (
    group_spans,
    group_styles,
    labels_in_group,
    labels_in_use,
    layer_qmd,
    style_qml,
    styles_in_time,
    used_labels,
    view_styles,
)
from .publish.reopen import (
    Raster,
    check_size,
    check_tags,
    has_room,
    holds_release,
    is_cell_field,
    release_from_cells,
    release_from_raster,
)
from .publish.views import VIEWS, view_legend, view_title
from .records.amounts import Amount
from .records.arrays import group_values, no_group
from .records.divisions import divisions, grouped
from .records.groups import Field, split_lists
from .records.ids import Ids, canonical
from .records.source import Block, PointSource, Request
from .regions.coverage import polygon_support
from .regions.polygons import Polygons
from .regions.weights import WeightRaster, raster_support
from .regions.workload import Workload
from .releases.about import About
from .releases.cell_words import cells_in_words
from .releases.verification import verify
from .space.cells import cell_fields
from .space.domain import Crs, Domain
from .space.frame import Frame
from .space.grid import Grid, candidate_grids
from .space.ground import measure_with
from .space.levels import Levels
from .space.sizes import parse_cell_sizes, parse_length, parse_sizes
from .space.wording import cell_size, significant
from .views.raster_cells import raster_cells

__all__ = [
    "About",
    "Adaptive",
    "Amount",
    "Block",
    "Budget",
    "Cancelled",
    "Crs",
    "CrsError",
    "DETAIL",
    "DistrictCells",
    "DistrictMap",
    "Districts",
    "Domain",
    "Feature",
    "Field",
    "FileError",
    "Frame",
    "GeodpError",
    "Grid",
    "Hexagons",
    "Ids",
    "InputError",
    "Ledger",
    "Levels",
    "Number",
    "Person",
    "Phrase",
    "PointSource",
    "Polygons",
    "Raster",
    "Record",
    "RegionQuery",
    "Regular",
    "Request",
    "Unit",
    "VIEWS",
    "WeightRaster",
    "Workload",
    "answer_columns",
    "band_names",
    "candidate_grids",
    "canonical",
    "cell_columns",
    "cell_fields",
    "cell_size",
    "cells_in_words",
    "changed",
    "check_domain",
    "check_size",
    "check_spend",
    "check_tags",
    "check_target",
    "difference_abstract",
    "difference_image",
    "difference_statements",
    "difference_tags",
    "difference_title",
    "divisions",
    "files_beside",
    "for_qgis",
    "forecast",
    "geopackage_statements",
    "group_spans",
    "group_styles",
    "group_values",
    "grouped",
    "has_room",
    "holds_release",
    "is_cell_field",
    "kind_word",
    "labels_in_group",
    "labels_in_use",
    "language_by_code",
    "languages",
    "layer_qmd",
    "list_regions",
    "measure_with",
    "named_rows",
    "naming",
    "naming_column",
    "nice_length",
    "no_group",
    "parse_cell_sizes",
    "parse_length",
    "parse_sizes",
    "polygon_support",
    "raster_cells",
    "raster_support",
    "rates",
    "release",
    "release_from_cells",
    "release_from_raster",
    "release_image",
    "release_tags",
    "report_page",
    "reworded",
    "shown_groups",
    "significant",
    "split_lists",
    "style_files",
    "style_qml",
    "styles_in_time",
    "used_labels",
    "verify",
    "view_legend",
    "view_styles",
    "view_tags",
    "view_title",
    "whole_file",
]
