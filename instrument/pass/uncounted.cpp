// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/uncounted.h"
#include "instrument/pass/sites.h"
#include "instrument/pass/unit.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
using namespace llvm;

namespace scale
{

static void addRecord(Function &F, StringRef What, unsigned Line)
{
  Module &M = *F.getParent();
  DISubprogram *S = F.getSubprogram();
  FunctionRow Row;
  Row.Subprogram = S;
  Row.Name = linkageName(F);
  Row.File = S ? sourceFile(S) : M.getSourceFileName();
  Row.Line = S ? S->getLine() : 0;
  Row.Local = F.hasLocalLinkage();
  EventSite Site;
  Site.Class = SCALE_CLASS_OTHER;
  Site.Event = SCALE_EVENT_UNCOUNTED;
  Site.Via = What.str();
  Site.Line = Line ? Line : Row.Line;
  Table Rows;
  SiteTable Sites(Rows, Rows.add(std::move(Row)), /*Recursive=*/false);
  Sites.addEvent(std::move(Site));
  const std::vector<uint8_t> Text = functionRecord(Sites.tables(sizeof(scale_node)));
  Constant *Bytes = ConstantDataArray::get(M.getContext(), Text);
  auto *Record = new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage, Bytes, "__scale_uncounted");
  Record->setSection("scale_uncounted"); // a name that the linker marks start and end of
  Record->setAlignment(Align(8));
  appendToUsed(M, {Record}); // --gc-sections would remove what no code refers to
}

void nameUncounted(Function &F, StringRef What) { addRecord(F, What, 0); }

/* The first line that the blocks stand on. */
static unsigned firstLine(const Cycle &C)
{
  unsigned Line = 0;
  for (const BasicBlock *BB : C.blocks())
    for (const Instruction &I : *BB)
      if (const DILocation *At = I.getDebugLoc(); At && At->getLine() && (!Line || At->getLine() < Line))
        Line = At->getLine();
  return Line;
}

using Blocks = df_iterator_default_set<const BasicBlock *>;

/* Whether control comes in at more than one block. What stands behind a call that does not return (an assertion in an
 * expression) is no way in, though LLVM takes it for one. */
static bool hasSeveralEntries(const Cycle &C, const Blocks &Reached)
{
  return count_if(C.entries(), [&](const BasicBlock *Entry) {
           return any_of(predecessors(Entry),
                         [&](const BasicBlock *From) { return Reached.contains(From) && !C.contains(From); });
         }) > 1;
}

void nameUncountedLoops(Function &F)
{
  CycleInfo Cycles;
  Cycles.compute(F);
  Blocks Reached;
  for (const BasicBlock *BB : depth_first_ext(&std::as_const(F), Reached))
    (void)BB;
  for (const Cycle *Top : Cycles.toplevel_cycles())
    for (const Cycle *C : depth_first(Top))
      if (hasSeveralEntries(*C, Reached))
        addRecord(F, "loop with several entries", firstLine(*C));
}

} // namespace scale
