// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

/*
 * The runtime library as seen from generated code: its symbols, and loads and
 * stores of nodes, slots and counters. Offsets are in bytes, from layout.inc.
 */
namespace scale
{

class Runtime
{
public:
  static constexpr const char *ModulePrefix =
      "__scale_module_"; /* then the format's version: what instrumented code refers to */

  explicit Runtime(llvm::Module &M);

  llvm::Value *at(llvm::IRBuilder<> &B, llvm::Value *Base, uint64_t Offset) const;
  llvm::LoadInst *load(llvm::IRBuilder<> &B, llvm::Type *T, llvm::Value *Base, uint64_t Offset) const;
  void store(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Value *Base, uint64_t Offset) const;
  /* The address of a slot, to be computed where it is needed: it is one instruction there, but many of them, hoisted
   * out of loops and to the function's entry, would be as many spilled registers. */
  llvm::Value *slot(llvm::IRBuilder<> &B, llvm::Value *Node, uint64_t Offset) const;
  /* *(u64 *)(Base + Offset) += Amount */
  void add(llvm::IRBuilder<> &B, llvm::Value *Base, uint64_t Offset, llvm::Value *Amount) const;

  /* The slot that the last caller left in thread-local storage; leaves one there. */
  llvm::Value *threadSlot(llvm::IRBuilder<> &B) const;
  void setThreadSlot(llvm::IRBuilder<> &B, llvm::Value *Slot) const;
  /* Before a call. Jump: the call may become a jump; says at which stack address that would arrive. */
  void leaveThreadSlot(llvm::IRBuilder<> &B, llvm::Value *Slot, bool Jump) const;

  /* A call through a pointer: behind what the slot remembers. Target and Slot are what to call and with which slot. The
   * thread's slot is left as by leaveThreadSlot where the slot doesn't know the function. Splits the block. */
  struct Shortened {
    llvm::Value *Target, *Slot;
  };
  Shortened shorten(llvm::Instruction *Before, llvm::Value *Target, llvm::Value *Slot, bool Jump) const;

  /* Before `Before`: the entry that the thread's slot means for the function described by Record. Splits the block. */
  struct Entered {
    llvm::Value *Slot;  /* what was in thread-local storage */
    llvm::Value *Entry; /* what the function counts in */
  };
  Entered enter(llvm::Instruction *Before, llvm::GlobalVariable *Record) const;
  /* The same at the end of a function that may have been jumped to by a tail call. Jumped gets the code for that
   * case: it inserts before the instruction and is given the entry. */
  Entered enterOrJump(llvm::Instruction *Before, llvm::GlobalVariable *Record,
                      llvm::function_ref<void(llvm::Instruction *, llvm::Value *)> Jumped) const;
  /* Makes F, which has lost its code, the choice between two functions that take what it takes: the second one, or the
   * first one where nobody will ever read what is counted. Needs canBranchIdle. */
  void branchIdle(llvm::Function &F, llvm::Function &Idle, llvm::Function &Counting) const;
  bool canBranchIdle(const llvm::Function &F) const;
  /* Makes F, which has lost its code, the wrapper of the function described by Record, where the target has a gate that
   * serves its kind of function. */
  bool wrapByGate(llvm::Function &F, llvm::GlobalVariable *Record) const;
  /* Before `Before`: the node behind Slot, made if the slot is empty. Splits the block. Made: adds code for a node that
   * was not in the slot before. */
  llvm::Value *node(llvm::Instruction *Before, llvm::Value *Slot, llvm::GlobalVariable *Record,
                    llvm::function_ref<void(llvm::IRBuilder<> &, llvm::Value *)> Made = nullptr) const;
  /* Before `Before`: notes the stack pointer in the node Block if it is the lowest so far. Splits the block. With
   * Levels: also what one level of recursion takes, for code to which calls of itself come without a lookup. */
  void noteStack(llvm::Instruction *Before, llvm::Value *Block, bool Levels) const;
  /* Prepares a new node for noteStack with levels. */
  void expectLevels(llvm::IRBuilder<> &B, llvm::Value *Block) const;

  /* struct scale_function, not yet initialised, and its initialiser. */
  llvm::StructType *functionType() const { return FunctionType; }
  struct FunctionRecord {
    unsigned NodeBytes = 0;
    llvm::Constant *Sites = nullptr, *Unit = nullptr, *Spare = nullptr;
    llvm::Constant *Code = nullptr, *Body = nullptr; /* may be null */
  };
  llvm::Constant *functionRecord(const FunctionRecord &R, llvm::GlobalVariable *Record) const;
  /* A new struct scale_unit_ref of the unit whose record Tables is. */
  llvm::Constant *unitRef(llvm::Constant *Tables) const;
  llvm::StructType *unitRefType() const { return UnitRefType; }

  /* The type of a function that takes a slot beside what Type takes. */
  llvm::FunctionType *withSlot(llvm::FunctionType *Type) const;
  llvm::Module &module() const { return M; }
  llvm::PointerType *pointer() const { return Pointer; }
  llvm::Type *i64() const { return I64; }

private:
  llvm::FunctionCallee declare(const char *Name);
  void findTbaa();
  void setThreadSlotToJump(llvm::IRBuilder<> &B, llvm::Value *Slot) const;
  static llvm::DebugLoc nowhere(llvm::Instruction *Before);
  llvm::Value *entryAddress(llvm::IRBuilder<> &B) const;
  llvm::Value *place(llvm::IRBuilder<> &B) const;
  llvm::CallInst *gate(llvm::IRBuilder<> &B, const char *Name, llvm::ArrayRef<llvm::Value *> Registers,
                       const char *Constraints, bool KeepsVectors) const;
  llvm::Value *enterAt(llvm::Instruction *Before, llvm::Value *Slot, llvm::GlobalVariable *Record,
                       llvm::function_ref<void(llvm::Instruction *, llvm::Value *)> Jumped) const;
  llvm::Value *enterByGate(llvm::Instruction *Then, llvm::Value *Slot, llvm::GlobalVariable *Record,
                           llvm::function_ref<void(llvm::Instruction *, llvm::Value *)> Jumped) const;
  llvm::Value *enterByCall(llvm::Instruction *Then, llvm::Value *Slot, llvm::Value *Key, llvm::GlobalVariable *Record,
                           llvm::function_ref<void(llvm::Instruction *, llvm::Value *)> Jumped) const;
  llvm::Module &M;
  llvm::PointerType *Pointer;
  llvm::Type *I64, *I32;
  llvm::StructType *FunctionType, *UnitRefType;
  llvm::GlobalVariable *ThreadSlot, *ModuleRef;
  llvm::FunctionCallee Enter, Node;
  llvm::MDNode *Tbaa = nullptr, *Unlikely, *Likely;
  bool Gates; /* the target has them */
};

} // namespace scale
