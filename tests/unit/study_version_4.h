/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What version 4 added to the study of study_version_3.h. */
static const char study_version_4[] =
    "ALTER TABLE run ADD COLUMN other1 REAL; ALTER TABLE run ADD COLUMN other2 REAL;"
    "ALTER TABLE failure ADD COLUMN other1 REAL; ALTER TABLE failure ADD COLUMN other2 REAL;"
    "PRAGMA user_version = 4;";
