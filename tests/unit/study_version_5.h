/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What version 5 added to the study of study_version_4.h. */
static const char study_version_5[] = "ALTER TABLE run ADD COLUMN lost_processes INTEGER NOT NULL DEFAULT 0;"
                                      "ALTER TABLE run ADD COLUMN lost_reason INTEGER NOT NULL DEFAULT 0;"
                                      "PRAGMA user_version = 5;";
