// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/work_fixed.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

/*
 * How much work a call of a library's function does: the rows of instrument/events/library_work.def, which says what
 * the words mean, and those of the environment variable SCALE_EVENTS (what the wrapper makes of probe sets).
 */
namespace scale
{

struct WorkTerm {
  enum { Number, Argument, Field, Before, Result, End, StringLength, Walk, ResultLength, Copied, Calls } From = Number;
  enum { Plus, Minus, Times, Over, Least } Join = Plus; /* with what stands before it */
  uint64_t Value = 0; /* the number; of a Field or Before the bytes behind the address */
  unsigned Index = 0; /* of the argument */
  unsigned First = 0; /* of Calls: the argument that the function gets first */
  bool Kept = false;  /* of Calls: the function stores that argument where the pointer that it returns points */
  bool Wide = false;  /* of a length: in wide characters */
  unsigned Bytes = 8; /* of a Field or Before */
};

struct WorkSpec {
  std::string Function; /* linkage name */
  std::vector<WorkTerm> Amount;
  std::string Wrapper; /* the runtime's function that is called instead; empty: none, then Amount holds */
  std::string As;      /* the library's function that is called instead, with one more argument, and whose row holds */
  bool Throws = false; /* what is called instead does */
  bool After = false;  /* the amount is known behind the call only */
  unsigned Unit = 0;   /* enum scale_work_unit */
  bool Probe = false;  /* from a probe set: it holds for functions of the program as well, and for every call */

  /* Whether a number is looked at before the call and behind it. */
  bool compares() const
  {
    return llvm::any_of(Amount, [](const WorkTerm &T) { return T.From == WorkTerm::Before; });
  }
  /* What the runtime tells of a block that was resized. */
  bool isCopy() const { return Amount.size() == 1 && Amount.front().From == WorkTerm::Copied; }
};

/* What the program calls: headers make __isoc99_sscanf of sscanf, and __strcat_chk of strcat. */
llvm::StringRef plainName(const WorkSpec &Spec);

/* FUNCTION, AMOUNT and UNIT, separated by tabs. The error says which is not understood. */
llvm::Expected<WorkSpec> parseWork(llvm::StringRef Line);

class KnownWork
{
public:
  /* The built-in table, and the environment's, read anew: its row for a function holds instead of the built-in one.
   * Nothing, and an error of the compiler's, if a line of the environment is not understood. */
  static std::optional<KnownWork> fromEnvironment(llvm::LLVMContext &Context);
  /* Whether a line of SCALE_EVENTS is about work: FUNCTION, "work", AMOUNT and UNIT, separated by tabs. */
  static bool isLine(llvm::StringRef Line);
  /* Whether F is the program's own and must stay a function with calls of its own to be caught. */
  bool keepsCalls(const llvm::Function &F) const { return !F.isDeclaration() && row(&F); }
  /* Before anything is optimised: notes in the module which of its calls are known, and where they stand. */
  void note(llvm::Module &M) const;
  /* Reads what note() wrote, and removes it; and how the module's functions are called. Before any function loses its
   * code to another one. */
  void read(llvm::Module &M);
  /* What the call does; null: not known, or not the library's function. Of memcpy and its kin only what stands where
   * the program calls something: the optimiser makes others of loops, whose iterations are counted. */
  const WorkSpec *of(const llvm::CallBase &Call) const;
  const FixedWork &fixed() const { return Fixed; }
  /* The row of a function of that name, or null. */
  const WorkSpec *named(llvm::StringRef Function) const;
  /* The function that the program calls there: the optimiser makes strlen() and memcpy() of a strcat(), and headers
   * with _FORTIFY_SOURCE make __strcat_chk() of it. */
  std::string written(const llvm::CallBase &Call, const WorkSpec &Spec) const;
  /* Where the program calls it, Written being its name; null: not known. */
  static const llvm::DILocation *place(const llvm::CallBase &Call, llvm::StringRef Written);

private:
  void addBuiltIn();
  llvm::Error addLine(llvm::StringRef Line);
  const WorkSpec *row(const llvm::Function *Callee) const;
  using Place = std::tuple<const llvm::Metadata *, unsigned, unsigned>; /* scope, line, column */
  llvm::StringMap<WorkSpec> Rows;
  FixedWork Fixed;
  std::map<const llvm::Function *, WorkSpec> Behind; /* probes of functions that return structures */
  std::map<Place, std::string> Written;
  llvm::DenseSet<const llvm::Function *> Defined; /* by the program */
};

} // namespace scale
