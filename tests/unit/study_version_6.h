/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What version 6 added to the study of study_version_5.h; the scene seals it with checksums. */
static const char study_version_6[] =
    "CREATE TABLE checksum (part TEXT NOT NULL, run INTEGER NOT NULL, crc INTEGER NOT NULL,"
    " PRIMARY KEY (part, run)) WITHOUT ROWID;"
    "PRAGMA user_version = 6;";
