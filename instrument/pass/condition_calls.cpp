// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/condition_calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include <set>
using namespace llvm;

namespace scale
{

/* How members of std::condition_variable and of condition_variable_any begin. */
constexpr StringRef Member = "_ZNSt18condition_variable", MemberOfAny = "_ZNSt3_V222condition_variable_any";

bool usesConditions(const Module &M)
{
  return any_of(M, [](const Function &F) {
    StringRef Name = F.getName();
    return Name.starts_with("pthread_cond_") || Name.starts_with("cnd_") || Name.starts_with(Member) ||
           Name.starts_with(MemberOfAny);
  });
}

StringRef calleeName(const Instruction &I)
{
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->getCalledFunction() && Call->arg_size() ? Call->getCalledFunction()->getName() : "";
}

/* Of std::condition_variable or condition_variable_any: the name of the member function, mangled; else empty. */
static StringRef memberOfCondition(const Instruction &I)
{
  StringRef Name = calleeName(I);
  return Name.consume_front(Member) || Name.consume_front(MemberOfAny) ? Name : StringRef();
}

bool waitsForPredicate(const CallBase &Call)
{
  StringRef Name = memberOfCondition(Call);
  bool Any = calleeName(Call).starts_with(MemberOfAny);
  if (Name.starts_with("4waitI"))
    return !Any || Call.arg_size() > 2;
  return (Name.starts_with("8wait_forI") || Name.starts_with("10wait_untilI")) && Call.getType()->isIntegerTy(1);
}

bool isWaitItself(const Instruction &I)
{
  static const std::set<StringRef> Names = {
      "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
      "cnd_wait",          "cnd_timedwait",          "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"};
  StringRef Name = memberOfCondition(I);
  return Names.count(calleeName(I)) || (Name.starts_with("4waitI") && !waitsForPredicate(cast<CallBase>(I))) ||
         (!I.getType()->isIntegerTy(1) && (Name.starts_with("8wait_forI") || Name.starts_with("10wait_untilI")));
}

bool isSignalItself(const Instruction &I)
{
  static const std::set<StringRef> Names = {"pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal",
                                            "cnd_broadcast"};
  StringRef Name = memberOfCondition(I);
  return Names.count(calleeName(I)) || Name == "10notify_oneEv" || Name == "10notify_allEv";
}

/* Whether a function of the C++ library's locks or guards has such a name. */
static bool isOfLocks(StringRef Name, std::initializer_list<StringRef> Members)
{
  static const StringRef Kinds[] = {"5mutexE",        "mutex4",        "mutex6",         "11unique_lockI",
                                    "11shared_lockI", "10lock_guardI", "11scoped_lockIJ"};
  bool Lock = Name.consume_front("_ZNSt") && any_of(Kinds, [&](StringRef Kind) { return Name.contains(Kind); });
  return Lock && any_of(Members, [&](StringRef Member) { return Name.contains(Member); });
}

bool unlocksItself(const Instruction &I)
{
  StringRef Name = calleeName(I);
  return Name == "pthread_mutex_unlock" || Name == "mtx_unlock" ||
         isOfLocks(Name, {"6unlockEv", "13unlock_sharedEv", "ED0Ev", "ED1Ev", "ED2Ev"});
}

bool locksItself(const Instruction &I)
{
  StringRef Name = calleeName(I);
  return Name == "pthread_mutex_lock" || Name == "pthread_mutex_trylock" || Name == "mtx_lock" ||
         isOfLocks(Name, {"4lockEv", "11lock_sharedEv", "EC1E", "EC2E"});
}

} // namespace scale
