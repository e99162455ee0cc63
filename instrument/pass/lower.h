// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/context.h"
#include "instrument/pass/events.h"
#include "instrument/pass/returns.h"

/*
 * One function: its markers become counters, its calls hand over slots, and its
 * record is described.
 */
namespace scale
{

/* What is known of the module. */
struct Surroundings {
  Contexts &Ctx;
  const Runtime &RT;
  const Table &Rows;
  const Returns &Calls;
  const ModuleEvents &Events;
  const KnownWork &Work;
  llvm::FunctionAnalysisManager &FAM;
};

/* Adds the counters and handovers of one body. */
void lower(Body &B, const Surroundings &In);

} // namespace scale
