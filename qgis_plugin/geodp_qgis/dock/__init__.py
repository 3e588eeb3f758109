# SPDX-License-Identifier: GPL-2.0-or-later
"""The dock *Private map*: three questions, what error to expect, one button.

It fills in the same Processing call as the dialog of *Private histogram* and asks nothing of the
points: of their layer it knows the name, the kind and the fields.
"""
