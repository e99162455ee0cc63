// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/filter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
using namespace llvm;

namespace scale
{

void Filter::addRule(bool Include, bool IsFile, StringRef Glob)
{
  if (Glob.empty())
    return;
  auto Text = std::make_shared<const std::string>(Glob);
  Expected<GlobPattern> Pattern = GlobPattern::create(*Text, /*MaxSubPatterns=*/256);
  if (Pattern)
    Rules.push_back({Include, IsFile, Text, *Pattern});
  else
    consumeError(Pattern.takeError());
}

void Filter::addText(StringRef Text)
{
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.trim();
    if (Line.empty() || Line.starts_with("#"))
      continue;
    auto [Verb, Rest] = getToken(Line);
    auto [Kind, Glob] = getToken(Rest);
    if ((Verb == "include" || Verb == "exclude") && (Kind == "function" || Kind == "file"))
      addRule(Verb == "include", Kind == "file", Glob.trim());
  }
}

void Filter::addList(StringRef List, bool Include)
{
  SmallVector<StringRef, 8> Items;
  SplitString(List, Items, ";\n");
  for (StringRef Item : Items) {
    Item = Item.trim();
    bool IsFile = Item.consume_front("file:");
    if (!IsFile)
      Item.consume_front("function:");
    addRule(Include, IsFile, Item);
  }
}

Filter Filter::fromEnvironment()
{
  Filter F;
  if (auto Paths = sys::Process::GetEnv("SCALE_FILTER")) {
    SmallVector<StringRef, 4> Names;
    SplitString(*Paths, Names, ":");
    for (StringRef Name : Names)
      if (auto Buffer = MemoryBuffer::getFile(Name, /*IsText=*/true))
        F.addText((*Buffer)->getBuffer());
  }
  if (auto List = sys::Process::GetEnv("SCALE_INCLUDE"))
    F.addList(*List, true);
  if (auto List = sys::Process::GetEnv("SCALE_EXCLUDE"))
    F.addList(*List, false);
  return F;
}

static bool matchesFile(const GlobPattern &Glob, StringRef File)
{
  for (StringRef Tail = File; !Tail.empty(); Tail = Tail.split('/').second)
    if (Glob.match(Tail))
      return true;
  return Glob.match(File);
}

bool Filter::selects(StringRef Name, StringRef File) const
{
  if (Rules.empty())
    return true;
  std::string Pretty = demangle(Name);
  StringRef Bare = StringRef(Pretty).take_until([](char C) { return C == '('; });
  bool AnyInclude = false, Included = false;
  for (const Rule &R : Rules) {
    AnyInclude |= R.Include;
    if (R.Include && Included)
      continue;
    bool Match =
        R.IsFile ? matchesFile(R.Glob, File) : R.Glob.match(Name) || R.Glob.match(Pretty) || R.Glob.match(Bare);
    if (Match && !R.Include)
      return false;
    Included |= Match;
  }
  return !AnyInclude || Included;
}

} // namespace scale
