// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/facts/calls.h"
#include "instrument/pass/callees.h"
#include "instrument/pass/table.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
using namespace llvm;

namespace scale::facts
{

/* Of a function: calls that are told; blocks gone through to see what is used again; places that a wait reads again. */
constexpr unsigned MaxCalls = 2000, MaxWalked = 200000, MaxRereads = 16, MaxUses = 64, MaxDepth = 4;

static const Function *calleeOf(const CallBase &Call)
{
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

/* Functions of the C library that obtain nothing, give nothing back and do not wait: comparing, printing, computing. */
static bool isIdle(const Function *Callee)
{
  static constexpr StringRef Kept[] = {
      "alloc",  "free",    "dup",     "align", "asprintf", "open",      "close", "creat", "pipe",    "socket", "mmap",
      "munmap", "mkstemp", "tmpfile", "lock",  "signal",   "broadcast", "post",  "init",  "destroy", "shm",    "brk",
      "yield",  "epoll",   "fd",      "key_",  "accept",   "thread",    "thrd",  "_Zd",   "cxa",     "locale"};
  if (!Callee || libraryKind(*Callee) != Library::Returns)
    return false;
  StringRef Name = Callee->getName();
  return Name.starts_with("clock") || none_of(Kept, [&](StringRef Part) { return Name.contains(Part); });
}

static bool isCall(const Instruction &I)
{
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<IntrinsicInst>(Call) && !Call->isInlineAsm() && !isIdle(calleeOf(*Call));
}

Calls::Calls(const Function &F, Values &Known, const Course &Way) : V(Known), C(Way)
{
  for (const Instruction &I : instructions(F))
    if (C.reached(I.getParent()) && isCall(I)) {
      Truncated |= All.size() >= MaxCalls;
      if (Truncated)
        break;
      All.push_back(cast<CallBase>(&I));
      V.addCall(*All.back());
    }
}

/* ---- last uses ----------------------------------------------------------------------------- */

/* The blocks that may run after From without Stop, where the value is made anew, running before them. */
const DenseSet<const BasicBlock *> &Calls::behind(const BasicBlock *From, const BasicBlock *Stop)
{
  auto [At, New] = Behind.try_emplace({From, Stop});
  if (!New)
    return At->second;
  SmallVector<const BasicBlock *, 16> Next(successors(From));
  while (!Next.empty()) {
    const BasicBlock *BB = Next.pop_back_val();
    if (BB == Stop || !At->second.insert(BB).second)
      continue;
    Walked++;
    Next.append(succ_begin(BB), succ_end(BB));
  }
  return At->second;
}

bool Calls::comesAfter(const CallBase &Call, const Value *Of, const Use &U)
{
  auto *User = cast<Instruction>(U.getUser());
  auto *Made = dyn_cast<Instruction>(Of);
  const BasicBlock *Stop = Made ? Made->getParent() : nullptr, *Here = Call.getParent();
  const BasicBlock *Where = User->getParent();
  if (auto *Phi = dyn_cast<PHINode>(User)) {
    Where = Phi->getIncomingBlock(U);
    if (Where == Here)
      return true;
  }
  if (Where == Here && User != &Call && Call.comesBefore(User))
    return true;
  if (Where == Here && Stop == Here)
    return false;
  return behind(Here, Stop).contains(Where);
}

/* Whether nothing that was made of the value is looked at once the call was made. */
bool Calls::isLastUse(const CallBase &Call, const Value *Of)
{
  SmallSetVector<const Value *, 8> Same;
  unsigned Seen = 0;
  Same.insert(Of);
  for (unsigned I = 0; I < Same.size(); I++)
    for (const Use &U : Same[I]->uses()) {
      auto *User = dyn_cast<Instruction>(U.getUser());
      if (!User || !C.reached(User->getParent()))
        continue;
      if (++Seen > MaxUses || Walked > MaxWalked || comesAfter(Call, Of, U)) {
        Truncated |= Walked > MaxWalked;
        return false;
      }
      if (isa<CastInst>(User) || isa<GetElementPtrInst>(User))
        Same.insert(User);
    }
  return true;
}

/* ---- results ------------------------------------------------------------------------------- */

namespace
{
enum { Unused = 0, Tested = 1, Used = 2, Stored = 4, Returned = 8 };
}

/* What becomes of a value, or of what it is chosen for. */
static unsigned fate(const Value *Of, SmallPtrSetImpl<const Value *> &Seen, unsigned Depth = 0)
{
  unsigned Out = Unused;
  if (Depth > MaxDepth || !Seen.insert(Of).second)
    return Out;
  for (const Use &U : Of->uses()) {
    const User *By = U.getUser();
    if (isa<ReturnInst>(By))
      Out |= Returned;
    else if (auto *S = dyn_cast<StoreInst>(By))
      Out |= S->getValueOperand() == Of ? Stored : Used;
    else if (isa<ICmpInst>(By) || isa<SwitchInst>(By) || isa<BranchInst>(By))
      Out |= Tested;
    else if (isa<PHINode>(By) || isa<SelectInst>(By) || isa<CastInst>(By))
      Out |= fate(By, Seen, Depth + 1);
    else
      Out |= Used;
  }
  return Out;
}

static const char *resultOf(const CallBase &Call)
{
  SmallPtrSet<const Value *, 8> Seen;
  unsigned Fate = fate(&Call, Seen);
  return Fate & Returned ? "returned" : Fate & Stored ? "stored" : Fate & Used ? "used" : Fate ? "tested" : nullptr;
}

/* ---- waits --------------------------------------------------------------------------------- */

/* Calls that block, or give up the processor, until something has changed. */
static bool blocks(const CallBase &Call)
{
  static const StringSet<> Names = {"pthread_cond_wait",
                                    "pthread_cond_timedwait",
                                    "pthread_cond_clockwait",
                                    "cnd_wait",
                                    "cnd_timedwait",
                                    "sem_wait",
                                    "sem_timedwait",
                                    "sem_clockwait",
                                    "select",
                                    "pselect",
                                    "poll",
                                    "ppoll",
                                    "epoll_wait",
                                    "epoll_pwait",
                                    "sleep",
                                    "usleep",
                                    "nanosleep",
                                    "clock_nanosleep",
                                    "thrd_sleep",
                                    "sched_yield",
                                    "thrd_yield",
                                    "pthread_yield"};
  const Function *Callee = calleeOf(Call);
  if (!Callee)
    return false;
  StringRef Name = Callee->getName();
  if (Name == "syscall" && Call.arg_size())
    if (auto *Number = dyn_cast<ConstantInt>(Call.getArgOperand(0)))
      return Number->getZExtValue() == 202 || Number->getZExtValue() == 98; // futex on x86-64, on AArch64
  bool Cxx = Name.starts_with("_ZNSt18condition_variable") || Name.starts_with("_ZNSt3_V222condition_variable_any") ||
             Name.starts_with("_ZNSt11this_thread");
  return Names.contains(Name) || (Cxx && (Name.contains("wait") || Name.contains("sleep") || Name.contains("yield")));
}

/* What a loop reads anew and decides by whether to go on. */
std::set<std::string> Calls::rereads(const Loop &L, const Flow &Of)
{
  std::set<std::string> Out;
  SmallSetVector<const Value *, 16> From;
  SmallVector<BasicBlock *, 4> Exits;
  L.getExitingBlocks(Exits);
  for (const BasicBlock *BB : Exits)
    for (const Value *Operand : BB->getTerminator()->operands())
      From.insert(Operand);
  for (unsigned I = 0; I < From.size() && From.size() < MaxUses; I++) {
    auto *Inst = dyn_cast<Instruction>(From[I]);
    if (!Inst || !L.contains(Inst))
      continue;
    if (const Access *Read = Of.loaded(Inst); Read && Read->Where.known() && Out.size() < MaxRereads) {
      if (Read->Where.Place != "*")
        Out.insert(Read->Where.Place);
    } else if (isCall(*Inst)) {
      for (const Value *Argument : cast<CallBase>(Inst)->args()) // of `empty()`, the container
        if (isa<GEPOperator>(Argument) && V.address(Argument, 0, false).known())
          Out.insert(V.address(Argument, 0, false).Place);
    } else {
      From.insert(Inst->op_begin(), Inst->op_end());
      if (auto *Phi = dyn_cast<PHINode>(Inst)) // of `a || b`: a decides which way it is reached
        for (const BasicBlock *BB : Phi->blocks())
          if (L.contains(BB))
            From.insert(BB->getTerminator()->op_begin(), BB->getTerminator()->op_end());
    }
  }
  return Out;
}

void Calls::writeWait(json::OStream &J, unsigned Number, const Flow &Of)
{
  const Loop *L = C.loops().getLoopFor(All[Number]->getParent());
  const Function *Callee = calleeOf(*All[Number]);
  // std::condition_variable::wait with a predicate loops itself.
  bool Predicate = Callee->getName().starts_with("_ZNSt18condition_variable4waitI");
  J.object([&] {
    J.attribute("call", Number);
    writeFlag(J, "loop", L != nullptr || Predicate);
    if (L)
      J.attributeArray("rereads", [&] {
        for (const std::string &Place : rereads(*L, Of))
          J.value(Place);
      });
  });
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Where the address that is called was read from. */
void Calls::writeThrough(json::OStream &J, const CallBase &Call, const Flow &Of)
{
  const Access *Read = Of.loaded(Call.getCalledOperand());
  if (Read && (!Read->Where.known() || Read->Where.Place == "*"))
    Read = Of.loaded(chainOf(Read->Pointer, Call.getDataLayout()).Root); // a virtual function
  if (Read && Read->Where.known() && Read->Where.Place != "*")
    J.attribute("through", Read->Where.Place);
}

/* Addresses of fields and sums are made anew for every call: they say nothing about last uses. */
static bool isUnit(const Value *Argument)
{
  return isa<llvm::Argument>(Argument) || isa<LoadInst>(Argument) || isa<CallBase>(Argument) ||
         isa<PHINode>(Argument) || isa<SelectInst>(Argument);
}

void Calls::writeCall(json::OStream &J, const CallBase &Call, const Flow &Of)
{
  const Function *Callee = calleeOf(Call);
  unsigned Hidden = Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet);
  SmallVector<unsigned, 2> Last;
  J.object([&] {
    if (Callee)
      J.attribute("callee", text(linkageName(*Callee)));
    else
      writeThrough(J, Call, Of);
    if (Call.getDebugLoc())
      J.attribute("line", Call.getDebugLoc().getLine());
    SmallVector<std::string, 4> Arguments;
    for (unsigned I = Hidden; I < Call.arg_size(); I++) {
      const Value *Argument = plain(Call.getArgOperand(I));
      Arguments.push_back(V.value(Argument));
      if (isUnit(Argument) && isLastUse(Call, Argument))
        Last.push_back(I - Hidden);
    }
    while (!Arguments.empty() && Arguments.back() == "?")
      Arguments.pop_back();
    if (!Arguments.empty())
      J.attributeArray("arguments", [&] {
        for (const std::string &Each : Arguments)
          J.value(Each);
      });
    writeFlag(J, "conditional", C.conditional(Call));
    writeFlag(J, "loop", C.inLoop(Call));
    if (!Last.empty())
      J.attributeArray("last", [&] {
        for (unsigned I : Last)
          J.value(I);
      });
    if (const char *Result = resultOf(Call))
      J.attribute("result", Result);
  });
}

void Calls::write(json::OStream &J, const Flow &Of)
{
  if (!All.empty())
    J.attributeArray("calls", [&] {
      for (const CallBase *Call : All)
        writeCall(J, *Call, Of);
    });
  if (any_of(All, [](const CallBase *Call) { return blocks(*Call); }))
    J.attributeArray("waits", [&] {
      for (unsigned I = 0; I < All.size(); I++)
        if (blocks(*All[I]))
          writeWait(J, I, Of);
    });
}

} // namespace scale::facts
