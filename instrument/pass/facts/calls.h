// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/facts/flow.h"

/* What a function calls, what it hands over, and what becomes of the results. */
namespace scale::facts
{

class Calls
{
public:
  /* Numbers the calls of F for V. */
  Calls(const llvm::Function &F, Values &V, const Course &C);
  /* "calls":[...] and "waits":[...] */
  void write(llvm::json::OStream &J, const Flow &Of);
  bool truncated() const { return Truncated; }

private:
  void writeCall(llvm::json::OStream &J, const llvm::CallBase &Call, const Flow &Of);
  void writeThrough(llvm::json::OStream &J, const llvm::CallBase &Call, const Flow &Of);
  void writeWait(llvm::json::OStream &J, unsigned Number, const Flow &Of);
  std::set<std::string> rereads(const llvm::Loop &L, const Flow &Of);
  bool isLastUse(const llvm::CallBase &Call, const llvm::Value *Of);
  bool comesAfter(const llvm::CallBase &Call, const llvm::Value *Of, const llvm::Use &U);
  const llvm::DenseSet<const llvm::BasicBlock *> &behind(const llvm::BasicBlock *From, const llvm::BasicBlock *Stop);

  Values &V;
  const Course &C;
  std::vector<const llvm::CallBase *> All;
  std::map<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, llvm::DenseSet<const llvm::BasicBlock *>>
      Behind;
  unsigned Walked = 0; /* blocks gone through for Behind */
  bool Truncated = false;
};

} // namespace scale::facts
