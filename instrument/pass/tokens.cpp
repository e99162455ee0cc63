// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/tokens.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "profiles/layout.inc"
using namespace llvm;

namespace scale
{

namespace
{

/* What a call looks for in one of its arguments. */
enum class Sought {
  Nothing,
  Text,  /* the constant as a whole */
  Either /* each of its characters */
};

Sought soughtBy(const CallBase &Call)
{
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return Sought::Nothing;
  return StringSwitch<Sought>(Callee->getName())
      .Cases("memcmp", "bcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", Sought::Text)
      .Cases("strstr", "strcasestr", "memmem", "wmemcmp", Sought::Text)
      .Cases("strspn", "strcspn", "strpbrk", "strtok", "strtok_r", "strsep", "strchr", "memchr", Sought::Either)
      .Cases("strchrnul", "strrchr", Sought::Either)
      .Default(Sought::Nothing);
}

/* A comparison of a byte, which C has made an int by then. */
bool isByte(const Value *V)
{
  if (auto *Cast = dyn_cast<CastInst>(V); Cast && (isa<ZExtInst>(Cast) || isa<SExtInst>(Cast)))
    V = Cast->getOperand(0);
  return V->getType()->isIntegerTy(8);
}

bool isText(uint64_t C) { return (C >= '\t' && C <= '\r') || (C >= ' ' && C < 127); }

class Tokens
{
public:
  explicit Tokens(Module &Mod) : M(Mod) {}

  void run()
  {
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        look(I);
    for (GlobalVariable &G : M.globals())
      if (G.hasInitializer() && G.isConstant())
        lookAt(G);
    write();
  }

private:
  void add(char Rank, StringRef Token)
  {
    if (Token.empty() || Token.size() > SCALE_TOKENS_BYTES || !Seen.insert(Token).second)
      return;
    Ranks[Rank - SCALE_TOKENS_CHARACTER].push_back(Token.str());
  }

  void addCharacter(uint64_t C)
  {
    char Byte = char(C);
    add(SCALE_TOKENS_CHARACTER, StringRef(&Byte, 1));
  }

  /* A set of characters, which is no token as a whole. */
  void addEach(StringRef Set)
  {
    for (char C : Set)
      addCharacter((unsigned char)C);
    Seen.insert(Set);
  }

  void look(Instruction &I)
  {
    if (auto *Compare = dyn_cast<ICmpInst>(&I))
      lookAtCompare(*Compare);
    else if (auto *Switch = dyn_cast<SwitchInst>(&I))
      lookAtSwitch(*Switch);
    else if (auto *Call = dyn_cast<CallBase>(&I))
      lookAtCall(*Call);
  }

  /* Of an int nobody knows whether it holds a character: what reads like one may be. */
  void lookAtCompare(const ICmpInst &I)
  {
    for (unsigned Side : {0, 1}) {
      auto *Constant = dyn_cast<ConstantInt>(I.getOperand(Side));
      const Value *Other = I.getOperand(1 - Side);
      if (!Constant || isa<llvm::Constant>(Other) || Constant->getBitWidth() > 32)
        continue;
      uint64_t C = Constant->getZExtValue();
      if (isByte(Other) ? (C & 0xff) != 0 : I.isEquality() && C > ' ' && isText(C))
        addCharacter(C);
    }
  }

  void lookAtSwitch(const SwitchInst &I)
  {
    bool Byte = isByte(I.getCondition());
    unsigned Texts = 0;
    if (I.getCondition()->getType()->getIntegerBitWidth() > 32)
      return;
    for (auto &Case : I.cases())
      Texts += isText(Case.getCaseValue()->getZExtValue());
    if (!Byte && (Texts < 2 || Texts * 4 < I.getNumCases() * 3)) /* else the numbers of an enumeration */
      return;
    for (auto &Case : I.cases())
      if (uint64_t C = Case.getCaseValue()->getZExtValue(); Byte ? (C & 0xff) != 0 : isText(C))
        addCharacter(C);
  }

  void lookAtCall(const CallBase &Call)
  {
    Sought What = soughtBy(Call);
    if (What == Sought::Nothing)
      return;
    for (const Use &Argument : Call.args()) {
      StringRef Text;
      if (!Argument->getType()->isPointerTy()) {
        if (auto *C = dyn_cast<ConstantInt>(Argument); C && What == Sought::Either && Argument.getOperandNo() == 1)
          addCharacter(C->getZExtValue() & 0xff);
      } else if (getConstantStringInfo(Argument, Text)) {
        if (What == Sought::Text)
          add(SCALE_TOKENS_STRING, Text);
        else
          addEach(Text);
      }
    }
  }

  /* Whether code refers to it by itself, and not a table alone. */
  static bool isUsedByCode(const GlobalVariable &G)
  {
    return any_of(G.users(), [](const User *U) {
      return isa<Instruction>(U) || (isa<ConstantExpr>(U) && any_of(U->users(), IsaPred<Instruction>));
    });
  }

  static bool isString(const Constant *C, StringRef &Text)
  {
    auto *Array = dyn_cast<ConstantDataArray>(C);
    if (!Array || !Array->isString(8))
      return false;
    Text = Array->getAsString();
    Text = Text.substr(0, Text.find('\0'));
    return true;
  }

  /* A string, or a table of strings: the first TableMost. */
  void lookAt(const GlobalVariable &G)
  {
    StringRef Text;
    if (isString(G.getInitializer(), Text)) {
      if (isUsedByCode(G))
        addOther(Text);
      return;
    }
    unsigned Left = TableMost;
    SmallVector<const Constant *, 32> Work{G.getInitializer()};
    SmallPtrSet<const Constant *, 32> Met;
    for (unsigned Steps = 0; !Work.empty() && Left && Steps < WalkMost; Steps++) {
      const Constant *C = Work.pop_back_val();
      if (auto *Pointed = dyn_cast<GlobalVariable>(C))
        C = Pointed->hasInitializer() && Pointed->isConstant() ? Pointed->getInitializer() : nullptr;
      if (C && isString(C, Text)) {
        Left--;
        addOther(Text);
      } else if (C && isa<ConstantAggregate>(C)) {
        for (unsigned Part = C->getNumOperands(); Part--;)
          if (auto *Inner = cast<Constant>(C->getOperand(Part)); Met.insert(Inner).second)
            Work.push_back(Inner);
      }
    }
  }

  /* Formats and messages are longer mostly, or have blanks and percents among letters. */
  void addOther(StringRef Text)
  {
    if (Text.size() <= OtherMost && !Text.contains('%') &&
        all_of(Text, [](unsigned char C) { return isText(C) || C >= 0x80; }))
      add(SCALE_TOKENS_OTHER, Text);
  }

  /* One string behind the other, each ended by a NUL, so that linkers keep equal ones once. */
  void write()
  {
    std::string Out;
    unsigned Count = 0;
    for (unsigned Rank = 0; Rank < 3; Rank++)
      for (const std::string &Token : Ranks[Rank])
        if (Count++ < UnitMost)
          Out += directive(char(SCALE_TOKENS_CHARACTER + Rank), Token);
    if (!Out.empty())
      M.appendModuleInlineAsm(".pushsection " SCALE_TOKENS ",\"MS\",%progbits,1\n" + Out + ".popsection\n");
  }

  static void appendByte(std::string &Out, unsigned char C)
  {
    Out += '\\';
    for (unsigned Shift : {6, 3, 0})
      Out += char('0' + (C >> Shift & 7));
  }

  static std::string directive(char Rank, StringRef Token)
  {
    std::string Out = ".asciz \"";
    Out += Rank;
    for (unsigned char C : Token) {
      if (C == 0 || C == SCALE_TOKENS_ESCAPE)
        appendByte(Out, SCALE_TOKENS_ESCAPE);
      appendByte(Out, C ? C : '0');
    }
    return Out + "\"\n";
  }

  enum : unsigned { TableMost = 32, WalkMost = 4096, OtherMost = 8, UnitMost = 500 };
  Module &M;
  StringSet<> Seen;
  std::vector<std::string> Ranks[3];
};

} // namespace

void noteTokens(Module &M) { Tokens(M).run(); }

} // namespace scale
