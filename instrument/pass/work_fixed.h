// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/table.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <cstdint>
#include <vector>

/*
 * Calls of library functions whose work is fixed by constants that stand in the call
 * (instrument/events/fixed_work.def). The optimiser takes such calls apart until nothing is left to count, so they
 * count nothing at any level.
 */
namespace scale
{

class FixedWork
{
public:
  FixedWork();
  /* Before anything is optimised: keeps the optimiser from taking those calls apart whose constants it would only learn
   * by inlining, and which it would leave a part of. They count as they are written in functions of Rows. */
  void keep(llvm::Module &M, const Table &Rows) const;
  /* Whether the call is not counted. */
  bool holds(const llvm::CallBase &Call, llvm::StringRef Function) const;
  /* What a constant string adds to its work, which is not counted: 0 mostly. */
  uint64_t less(const llvm::CallBase &Call, llvm::StringRef Function) const;

private:
  struct Condition {
    enum { String, Number, Print, Less } Kind = String;
    unsigned Index = 0;
    uint64_t Most = UINT64_MAX; /* of Less the argument that bounds it */
  };
  static bool parse(llvm::StringRef Text, Condition &Out);
  static bool meets(const llvm::CallBase &Call, const Condition &C);
  using Word = std::vector<Condition>; /* all of them */
  /* What is to be asked of the call; nothing of one that keep() kept. */
  llvm::ArrayRef<Word> wordsOf(const llvm::CallBase &Call, llvm::StringRef Function) const;
  llvm::StringMap<std::vector<Word>> Rows;
};

} // namespace scale
