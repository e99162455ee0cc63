/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/question.h"

/* Judges contention for the question's cell, whose score the question has, told in these sentences. */
int sc_contention_judge(sc_resources *r, const sc_question *q, sc_draft_tell *tell) SC_CHECK;
