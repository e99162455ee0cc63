// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

/*
 * What the programmer wrote: one row per function, with its loops, made by the
 * early pass and handed to the late pass as named metadata of the module, so
 * that it survives whatever the optimiser does to the functions themselves.
 */
namespace scale
{

/* A source loop. Its ordinal (position in the row, from 1) is its discriminator in the line table. */
struct LoopRow {
  unsigned Line, Column;
  unsigned Nth;    /* among the loops of the function at the same line and column, from 0 */
  unsigned Parent; /* ordinal of the loop around it, or 0 */
};

struct FunctionRow {
  llvm::DISubprogram *Subprogram = nullptr; /* null where there is no debug information */
  std::string Name;                         /* linkage name */
  std::string File;                         /* absolute where the compiler knew it, or empty */
  unsigned Line = 0;
  bool Local = false;       /* internal linkage: unique only together with File */
  unsigned FirstMarker = 0; /* marker IDs: this one is the entry, + ordinal for a loop */
  std::vector<LoopRow> Loops;
  std::optional<unsigned> PartOf; /* the row of the function that this part, which runs on its own, was cut from */
};

/* What a marker stands for. */
struct Marker {
  unsigned Row;
  unsigned Ordinal; /* 0: the function's entry */
};

class Table
{
public:
  /* Appends a row, numbers its markers and returns its index. */
  unsigned add(FunctionRow Row);
  /* A row for F, a function that a coroutine of the row was split into: its loops stay that row's. Tags F with it. */
  void addPart(llvm::Function &F, unsigned Row);
  /* Whether code of Row stands directly in what Other describes: the same function, or a part of it. */
  bool isSame(unsigned Other, unsigned Row) const { return Rows[Other].PartOf.value_or(Other) == Row; }
  const FunctionRow &operator[](unsigned Index) const { return Rows[Index]; }
  unsigned size() const { return Rows.size(); }

  /* The row a marker ID belongs to; nothing if it is not one of ours. */
  std::optional<Marker> marker(uint64_t Id) const;
  /* The row of a subprogram, or of the subprogram it was copied from; nothing for a function that is no context. */
  std::optional<unsigned> rowOf(const llvm::DISubprogram *Subprogram) const;

  /* Stores the table in the module, replacing an older one; reads it back; removes it. */
  void write(llvm::Module &M) const;
  static Table read(const llvm::Module &M);
  static void erase(llvm::Module &M);

  /* The row a function definition carries as an attribute (clones inherit it); nothing if it is excluded. */
  std::optional<unsigned> rowOf(const llvm::Function &F) const;
  static void tag(llvm::Function &F, unsigned Row);
  static void untag(llvm::Function &F);

private:
  void index(unsigned Row);
  std::vector<FunctionRow> Rows;
  llvm::DenseMap<const llvm::DISubprogram *, unsigned> BySubprogram;
  std::map<std::pair<std::string, unsigned>, unsigned> ByNameAndLine;
  unsigned Markers = 0;
};

/* The name under which the linker knows F (without LLVM's \01). */
std::string linkageName(const llvm::GlobalValue &F);
/* The file of a subprogram, or of anything else declared: absolute if the compiler recorded a directory. */
std::string sourceFile(const llvm::DIScope *Scope);
/* Whether the file is a header in one of the system's folders, or in one that the compiler was told is a system's:
 * those that the wrapper lists in SCALE_SYSTEM_FOLDERS, absolute, one a line (-isystem leaves no trace in what the pass
 * sees). */
bool isSystemHeader(llvm::StringRef File);

} // namespace scale
