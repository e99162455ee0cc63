// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/IR/InstrTypes.h"

/*
 * Calls of the C and C++ libraries' conditions, and of the locks that go with them.
 */
namespace scale
{

/* Most modules wait for no condition and signal none: then no call is one of these. */
bool usesConditions(const llvm::Module &M);
/* Of a call with arguments: whom it calls, mangled; else empty. */
llvm::StringRef calleeName(const llvm::Instruction &I);
/* std::condition_variable::wait() and its kin that loop themselves until a predicate holds. That of _any is a template
 * without one, too. */
bool waitsForPredicate(const llvm::CallBase &Call);
/* One that returns whenever it is woken. */
bool isWaitItself(const llvm::Instruction &I);
/* To one thread or to all. */
bool isSignalItself(const llvm::Instruction &I);
/* Of a mutex, by itself or by a guard that ends. */
bool unlocksItself(const llvm::Instruction &I);
/* Of a mutex, by itself or by a guard that is made. */
bool locksItself(const llvm::Instruction &I);

} // namespace scale
