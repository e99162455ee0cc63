/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TESTS_STUDY_VERSION_5_H
#define SC_TESTS_STUDY_VERSION_5_H

/* What version 5 added to the study of study_version_4.h. */
static const char study_version_5[] = "ALTER TABLE run ADD COLUMN lost_processes INTEGER NOT NULL DEFAULT 0;"
                                      "ALTER TABLE run ADD COLUMN lost_reason INTEGER NOT NULL DEFAULT 0;"
                                      "PRAGMA user_version = 5;";
#endif
