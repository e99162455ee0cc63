// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/facts/types.h"

namespace scale::facts
{

/* Whether facts tell of F: it is defined here, and is no part of the C or C++ library or of the compiler's making. */
bool isTold(const llvm::Function &F);
/* Writes F, whose variables are values already. */
void writeFunction(llvm::json::OStream &J, llvm::Function &F, Types &T);

} // namespace scale::facts
