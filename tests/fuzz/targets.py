"""All fuzz targets, by name."""

from __future__ import annotations

from tests.fuzz import door_targets, import_targets, note_targets

TARGETS = {each.name: each for each in (*note_targets.TARGETS, *import_targets.TARGETS, *door_targets.TARGETS)}
