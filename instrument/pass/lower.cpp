// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/lower.h"
#include "instrument/pass/callees.h"
#include "instrument/pass/context.h"
#include "instrument/pass/counters.h"
#include "instrument/pass/events.h"
#include "instrument/pass/library_work.h"
#include "instrument/pass/lookups.h"
#include "instrument/pass/markers.h"
#include "instrument/pass/returns.h"
#include "instrument/pass/segments.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
using namespace llvm;

namespace scale
{
namespace
{

class FunctionLowering
{
public:
  FunctionLowering(Body &Code, const Surroundings &In)
      : Ctx(In.Ctx), RT(In.RT), Rows(In.Rows), Calls(In.Calls), B(Code), F(*Code.Code), FAM(In.FAM),
        Sites(In.Rows, Code.Row, Code.Recursive), Events(In.Events, In.RT, *Code.Code, In.Rows[Code.Row].Name),
        Work(In.Work, In.RT, In.Rows, *Code.Code)
  {
  }

  void run()
  {
    gatherAllocas();
    Events.gather();
    Work.gather();
    Optimise = !F.hasOptNone();
    simplifyLoops();
    NodeVariable = variable();
    collect();
    DominatorTree DT(F);
    LoopInfo LI(DT);
    BranchProbabilityInfo BPI(F, LI);
    BlockFrequencyInfo BFI(F, BPI, LI);
    chooseShortened(LI, BFI);
    shareSlots();
    countMarkers(DT, LI);
    for (Instruction *I : MarkerCalls)
      I->eraseFromParent();
    Instruction *Entry = staying(entryPoint());
    std::vector<Instruction *> NodePoints = lookupPoints(DT, LI, BFI, Entry);
    for (Instruction *&Point : NodePoints)
      Point = staying(Point);
    Events.lower();
    Work.lower([this](const CallBase &Call) { return Events.copied(Call); });
    for (Site &S : CallSites)
      handOver(S);
    enterFunction(Entry, NodePoints);
    DominatorTree After(F);
    PromoteMemToReg(Variables, After);
    NodeBytes = alignTo(NodeBytes, SCALE_BLOCK_ALIGN);
    Ctx.describe(B, Sites.tables(NodeBytes));
  }

private:
  struct Slot {
    unsigned Offset, Calls, Loc;
    bool Open;
    Callee To;
    DebugLoc Where;
    bool Out; /* what it obtains leaves the function */
  };
  struct Site {
    CallBase *Call;
    CallPlan Plan;
    unsigned Slot;
    /* No other function is ever entered through its slot. */
    bool isDirect() const { return Plan.How == Handover::Nest || Plan.How == Handover::Self; }
  };

  struct Place {
    Instruction *First = nullptr;
    unsigned Offset = 0;
    bool Known = false;
    std::optional<unsigned> Slot; /* in which it is counted */
    std::vector<unsigned> Locs;
  };

  /* ---- preparation ---- */

  /* Static allocas must stay in the entry block, which will be split behind them. */
  void gatherAllocas()
  {
    HasVariables = any_of(instructions(F), [](const Instruction &I) { return isa<AllocaInst>(I); });
    BasicBlock &Entry = F.getEntryBlock();
    auto Top = Entry.begin();
    for (Instruction &I : make_early_inc_range(Entry))
      if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca()) {
        if (&*Top == A)
          ++Top;
        else
          A->moveBefore(Entry, Top);
      }
  }

  AllocaInst *variable()
  {
    auto *V = new AllocaInst(RT.pointer(), 0, "scale.node", F.getEntryBlock().begin());
    Variables.push_back(V);
    return V;
  }

  void simplifyLoops()
  {
    if (!Optimise)
      return;
    DominatorTree DT(F);
    LoopInfo LI(DT);
    AssumptionCache AC(F);
    for (Loop *L : LI)
      simplifyLoop(L, &DT, &LI, nullptr, &AC, nullptr, /*PreserveLCSSA=*/false);
  }

  void collect()
  {
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (auto Id = markerId(I)) {
        MarkerCalls.push_back(&I);
        continue;
      }
      if (Calls.mayNotReturn(*Call))
        Breakers.push_back(Call);
      if (Events.replaces(*Call) || Work.replaces(*Call) || givesPlaceTo(*Call)) // nobody is entered from here
        continue;
      CallPlan Plan = Ctx.plan(*Call);
      if (B.Node && Plan.How == Handover::Nest && Plan.Target == B.Holder) {
        Plan.How = Handover::Self;
        Plan.Target = B.Code;
      }
      if (Plan.How != Handover::None)
        CallSites.push_back({Call, Plan, 0});
    }
  }

  /* ---- slots ---- */

  /* To compare with what the slot remembers makes a call through a pointer faster and the code longer: not where it is
   * rarely executed, as far as one can guess, and not for each of many outside of loops. */
  void chooseShortened(LoopInfo &LI, const BlockFrequencyInfo &BFI)
  {
    constexpr unsigned Few = 8, Rare = 16, RareInLoop = 64;
    uint64_t Entry = BFI.getEntryFreq().getFrequency();
    std::vector<Site *> Straight;
    for (Site &S : CallSites) {
      if (S.Plan.How != Handover::Pointer)
        continue;
      bool InLoop = LI.getLoopFor(S.Call->getParent());
      if (BFI.getBlockFreq(S.Call->getParent()).getFrequency() < Entry / (InLoop ? RareInLoop : Rare))
        S.Plan.How = Handover::Thread;
      else if (!InLoop)
        Straight.push_back(&S);
    }
    if (Straight.size() > Few)
      for (Site *S : Straight)
        S->Plan.How = Handover::Thread;
  }

  /* Calls of the same function from the same loop share a slot: call sites are no contexts. But what functions obtain
   * or wait for in their callers' place belongs to each of these calls. */
  void shareSlots()
  {
    std::map<std::tuple<unsigned, const Function *, std::string, bool, unsigned, unsigned>, unsigned> Shared;
    for (Site &S : CallSites) {
      unsigned Loc = Sites.locOf(S.Call->getDebugLoc().get());
      bool Open = !S.isDirect();
      const Callee &To = S.Plan.Description;
      const DILocation *Where = S.Call->getDebugLoc().get();
      bool Apart = Where && Wrappers::isToldApart(S.Call->getCalledFunction());
      if (!To.Name.empty()) {
        auto [It, New] = Shared.try_emplace(
            {Loc, S.Plan.Target, To.Name, Open, Apart ? Where->getLine() : 0, Apart ? Where->getColumn() : 0},
            Slots.size());
        S.Slot = It->second;
        if (!New) {
          Slots[S.Slot].Calls++;
          continue;
        }
      }
      S.Slot = Slots.size();
      Slots.push_back(
          {0, 1, Loc, Open, To, S.Call->getDebugLoc(), Wrappers::leaves(*S.Call) && Where && !Where->getInlinedAt()});
    }
  }

  /* Counters first: they are the more, and instructions are shorter the smaller the offset. */
  void layOut(std::map<unsigned, Place> &Places, const std::vector<unsigned> &Own)
  {
    for (unsigned Number : Own) {
      Places[Number].Offset = NodeBytes;
      NodeBytes += 8;
    }
    NodeBytes = Work.layOut(Sites, NodeBytes);
    NodeBytes = Events.layOut(Sites, NodeBytes);
    for (Slot &S : Slots) {
      S.Offset = NodeBytes;
      NodeBytes += S.Open ? sizeof(scale_entry) : sizeof(scale_slot);
      Sites.addSlot(S.Offset, S.Open, S.Loc, S.To, S.Where.get(), S.Out);
    }
    for (auto &[Number, P] : Places)
      if (P.Slot)
        P.Offset = Slots[*P.Slot].Offset + offsetof(scale_slot, count);
  }

  /* In tail position: nothing but a return follows, perhaps one that several blocks share. (At -O1 calls are marked
   * only later; without variables in memory they will be.) */
  bool mayBecomeJump(const CallBase &Call) const
  {
    auto *Plain = dyn_cast<CallInst>(&Call);
    if (!Plain || Plain->isNoTailCall() || !Optimise || !B.Slot || !(Plain->isTailCall() || !HasVariables) ||
        F.getFnAttribute("disable-tail-calls").getValueAsBool())
      return false;
    const Instruction *Next = Call.getNextNonDebugInstruction();
    if (auto *Branch = dyn_cast<BranchInst>(Next); Branch && Branch->isUnconditional())
      Next = Branch->getSuccessor(0)->getFirstNonPHIOrDbg();
    return isa<ReturnInst>(Next);
  }

  void handOver(Site &S)
  {
    CallBase *Old = S.Call;
    forgetEffects(*Old);
    if (auto *Callee = Old->getCalledFunction())
      forgetEffects(*Callee);
    IRBuilder<> Builder(Old);
    Value *Slot = SlotAddress[Old], *Target = S.Plan.Target;
    if (S.Plan.How == Handover::Thread) {
      Builder.SetCurrentDebugLocation(DebugLoc());
      RT.leaveThreadSlot(Builder, Slot, mayBecomeJump(*Old));
      return;
    }
    if (S.Plan.How == Handover::Pointer) {
      Runtime::Shortened To = RT.shorten(Old, Old->getCalledOperand(), Slot, mayBecomeJump(*Old));
      Target = To.Target;
      Slot = To.Slot;
    }
    replaceCall(Old, Target, Slot);
  }

  /* The same call of Target with one more argument, the slot. */
  void replaceCall(CallBase *Old, Value *Target, Value *Slot)
  {
    SmallVector<Value *, 8> Args(Old->args());
    Args.push_back(Slot);
    llvm::FunctionType *Type = RT.withSlot(Old->getFunctionType());
    SmallVector<OperandBundleDef, 1> Bundles;
    Old->getOperandBundlesAsDefs(Bundles);
    CallBase *New;
    if (auto *Invoke = dyn_cast<InvokeInst>(Old)) {
      New = InvokeInst::Create(Type, Target, Invoke->getNormalDest(), Invoke->getUnwindDest(), Args, Bundles, "",
                               Old->getIterator());
    } else {
      auto *Call = CallInst::Create(Type, Target, Args, Bundles, "", Old->getIterator());
      Call->setTailCallKind(cast<CallInst>(Old)->getTailCallKind());
      New = Call;
    }
    New->setCallingConv(Old->getCallingConv());
    New->setAttributes(Old->getAttributes().addParamAttribute(F.getContext(), Args.size() - 1, Attribute::Nest));
    New->copyMetadata(*Old);
    New->takeName(Old);
    Old->replaceAllUsesWith(New);
    Old->eraseFromParent();
  }

  /* ---- counters ---- */

  void countMarkers(DominatorTree &DT, LoopInfo &LI)
  {
    Segments Segment(F, DT, LI, Breakers);
    std::map<unsigned, Place> Places;
    Place &Entry = Places[Segment.of(*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca())];
    Entry.Known = true; // counted by the slot that led here
    for (Site &S : CallSites) {
      if (!S.isDirect() || Slots[S.Slot].Calls != 1)
        continue;
      Place &P = Places[Segment.of(*S.Call)]; // counted by the callee, or anyway
      if (!P.Known) {
        P.Known = true;
        P.Slot = S.Slot;
      }
    }
    std::vector<unsigned> Own;
    for (Instruction *I : MarkerCalls) {
      auto Mark = Rows.marker(*markerId(*I));
      if (!Mark || !DT.isReachableFromEntry(I->getParent()))
        continue;
      unsigned Number = Segment.of(*I);
      Place &P = Places[Number];
      if (!P.Known && !P.First)
        Own.push_back(Number);
      if (!P.First)
        P.First = I;
      P.Locs.push_back(Sites.locOf(*Mark, I->getDebugLoc().get()));
    }
    layOut(Places, Own);
    emit(Places, Own, DT, LI);
    for (auto &[Number, P] : Places)
      for (unsigned Loc : P.Locs)
        Sites.addRef(Loc, P.Offset);
  }

  void emit(std::map<unsigned, Place> &Places, const std::vector<unsigned> &Own, DominatorTree &DT, LoopInfo &LI)
  {
    for (Site &S : CallSites) {
      IRBuilder<> Builder(S.Call);
      Builder.SetCurrentDebugLocation(DebugLoc());
      SlotAddress[S.Call] =
          S.Plan.How == Handover::Self ? node(Builder) : RT.slot(Builder, node(Builder), Slots[S.Slot].Offset);
    }
    Events.reach([this](IRBuilder<> &Builder) { return node(Builder); });
    Work.reach([this](IRBuilder<> &Builder) { return node(Builder); });
    if (Own.empty() && !B.Node)
      return;
    AssumptionCache AC(F);
    ScalarEvolution SE(F, FAM.getResult<TargetLibraryAnalysis>(F), AC, DT, LI);
    Counters Count(
        F, RT, {DT, LI, SE, FAM.getResult<TargetIRAnalysis>(F)}, Breakers, !Optimise || callsReturningTwice(F),
        [this](IRBuilder<> &Builder) { return node(Builder); }, Variables);
    for (unsigned Number : Own)
      Count.count(Places[Number].First, Places[Number].Offset);
    for (Site &S : CallSites)
      if (S.Plan.How == Handover::Self)
        Count.count(S.Call, Slots[S.Slot].Offset + offsetof(scale_slot, count));
    Count.flush();
  }

  /* ---- the node ---- */

  Value *node(IRBuilder<> &Builder)
  {
    LoadInst *L = Builder.CreateLoad(RT.pointer(), NodeVariable);
    NodeUses.push_back(L);
    return L;
  }

  /* Behind the static allocas. */
  Instruction *entryPoint()
  {
    BasicBlock::iterator It = F.getEntryBlock().begin();
    while (isa<AllocaInst>(*It))
      ++It;
    return &*It;
  }

  /* Calls may be replaced before something is put in front of them; what takes their place here goes with the
   * variables. */
  Instruction *staying(Instruction *I)
  {
    return isa<CallBase>(I) ? new LoadInst(RT.pointer(), NodeVariable, "", I->getIterator()) : I;
  }

  std::vector<Instruction *> lookupPoints(DominatorTree &DT, LoopInfo &LI, const BlockFrequencyInfo &BFI,
                                          Instruction *Entry)
  {
    if (Sites.dependsOnEntries() || (!NodeUses.empty() && callsReturningTwice(F)))
      return {Entry};
    return scale::lookupPoints(NodeUses, {DT, LI, BFI}, Optimise ? 3 : 1);
  }

  /* Code that is called with its node. */
  void enterWithNode(Instruction *Entry, ArrayRef<Instruction *> NodePoints)
  {
    new StoreInst(B.Node, NodeVariable, Entry->getIterator());
    for (Instruction *Point : NodePoints)
      RT.noteStack(Point, B.Node, true);
    std::vector<unsigned> SelfSlots;
    for (Site &S : CallSites)
      if (S.Plan.How == Handover::Self)
        SelfSlots.push_back(Slots[S.Slot].Offset);
    llvm::sort(SelfSlots);
    SelfSlots.erase(std::unique(SelfSlots.begin(), SelfSlots.end()), SelfSlots.end());
    Ctx.enterSelf(B, SelfSlots);
  }

  void enterFunction(Instruction *Entry, ArrayRef<Instruction *> NodePoints)
  {
    if (B.Node)
      return enterWithNode(Entry, NodePoints);
    Value *Slot = B.Slot;
    if (!Slot) {
      Runtime::Entered In = RT.enter(Entry, B.Record);
      Slot = In.Entry;
      restoreThreadSlot(In.Slot);
    }
    IRBuilder<> Builder(Entry);
    Builder.SetCurrentDebugLocation(DebugLoc());
    RT.add(Builder, Slot, offsetof(scale_slot, count), Builder.getInt64(1));
    for (Instruction *Point : NodePoints) {
      Value *Node = RT.node(Point, Slot, B.Record);
      if (B.Recursive)
        RT.noteStack(Point, Node, false);
      new StoreInst(Node, NodeVariable, Point->getIterator());
      show(Node, Point);
    }
  }

  /* A child of fork keeps the nodes whose addresses are on the stack. A longjmp may bring back registers that nothing
   * on it has: of such a function the node is there, too. */
  void show(Value *Node, Instruction *Point)
  {
    if (!callsReturningTwice(F))
      return;
    auto *Shown = new AllocaInst(RT.pointer(), 0, "scale.shown", F.getEntryBlock().begin());
    new StoreInst(Node, Shown, /*isVolatile=*/true, Point->getIterator());
  }

  /* A guaranteed tail call: the callee takes this function's place, so it counts as called from where this one was. An
   * interpreter of functions that jump to each other would have a context for each path through them otherwise.
   * Coroutines that resume each other are different: who awaits whom is their call stack. */
  bool givesPlaceTo(const CallBase &Call) const
  {
    return isa<CallInst>(Call) && cast<CallInst>(Call).isMustTailCall() && !B.Slot && !Rows[B.Row].PartOf;
  }

  /* As the wrappers do, for functions that have none. */
  void restoreThreadSlot(Value *Slot)
  {
    for (BasicBlock &BB : F) {
      CallInst *Jump = BB.getTerminatingMustTailCall();
      if (!isa<ReturnInst>(BB.getTerminator()) || (Jump && !givesPlaceTo(*Jump)))
        continue;
      IRBuilder<> Builder(Jump ? Jump : BB.getTerminator());
      Builder.SetCurrentDebugLocation(DebugLoc());
      RT.setThreadSlot(Builder, Slot);
    }
  }

  Contexts &Ctx;
  const Runtime &RT;
  const Table &Rows;
  const Returns &Calls;
  Body &B;
  Function &F;
  FunctionAnalysisManager &FAM;
  SiteTable Sites;
  FunctionEvents Events;
  LibraryWork Work;
  bool Optimise = true, HasVariables = false;
  unsigned NodeBytes = sizeof(scale_node);
  std::vector<AllocaInst *> Variables;
  AllocaInst *NodeVariable = nullptr;
  std::vector<LoadInst *> NodeUses;
  std::vector<Instruction *> MarkerCalls;
  std::vector<CallBase *> Breakers;
  std::vector<Site> CallSites;
  std::vector<Slot> Slots;
  std::map<CallBase *, Value *> SlotAddress;
};

} // namespace

void lower(Body &B, const Surroundings &In) { FunctionLowering(B, In).run(); }

} // namespace scale
