// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/facts/facts.h"
#include "instrument/pass/facts/function.h"
#include "instrument/pass/facts/values.h"
#include "instrument/pass/markers.h"
#include "instrument/pass/place.h"
#include "instrument/pass/table.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
using namespace llvm;

namespace scale
{

bool wantsFacts() { return sys::Process::GetEnv("SCALE_FACTS").value_or("") == "1"; }

namespace facts
{

/* A copy that shares the debug information, which nobody changes. */
static std::unique_ptr<Module> copyOf(const Module &M, const DebugInfoFinder &Known)
{
  ValueToValueMapTy Map;
  for (DICompileUnit *Unit : Known.compile_units())
    Map.MD()[Unit].reset(Unit);
  for (DISubprogram *S : Known.subprograms())
    Map.MD()[S].reset(S);
  for (DIType *T : Known.types())
    Map.MD()[T].reset(T);
  return CloneModule(M, Map);
}

/* Makes values of local variables and of the parts of local structures, and changes nothing else. */
static void makeValues(Module &M)
{
  PassBuilder Builder;
  FunctionAnalysisManager Analyses;
  Builder.registerFunctionAnalyses(Analyses);
  for (Function &F : M)
    if (isTold(F)) {
      SROAPass(SROAOptions::PreserveCFG).run(F, Analyses);
      Analyses.clear(F, F.getName());
    }
}

static void writeGlobals(json::OStream &J, const Module &M, Types &T)
{
  J.attributeArray("globals", [&] {
    for (const GlobalVariable &G : M.globals()) {
      const DIGlobalVariable *D = described(G);
      if (G.isDeclaration() || G.isConstant() || !D || isSystemHeader(sourceFile(D->getFile())))
        continue;
      TypeUse U = T.use(D->getType());
      T.list(U.Record);
      J.object([&] {
        J.attribute("name", globalName(G));
        T.writeUse(J, U);
        T.writeWhere(J, D->getFile(), D->getLine());
        writeFlag(J, "static", G.hasLocalLinkage());
      });
    }
  });
}

static std::string write(Module &M, const DebugInfoFinder &Known)
{
  std::string Out;
  raw_string_ostream To(Out);
  json::OStream J(To);
  Types T(M, Known);
  J.object([&] {
    J.attribute("scale_facts", 1);
    J.attribute("unit", text(M.getSourceFileName()));
    StringRef Folder;
    for (const DICompileUnit *Unit : M.debug_compile_units())
      Folder = Unit->getDirectory();
    J.attribute("folder", text(Folder));
    writeGlobals(J, M, T);
    J.attributeArray("functions", [&] {
      for (Function &F : M)
        if (isTold(F))
          writeFunction(J, F, T);
    });
    J.attributeArray("types", [&] { T.writeTypes(J); });
    J.attributeArray("files", [&] {
      for (const std::string &Each : T.files())
        J.value(Each);
    });
  });
  To << '\n';
  return Out;
}

/* The directives that put Text into the section; the assembler reads escapes as C does. */
static std::string directives(StringRef Text)
{
  constexpr size_t Line = 4000;
  std::string Out = ".pushsection .scale_facts,\"\",@progbits\n";
  for (size_t At = 0; At < Text.size(); At += Line) {
    Out += ".ascii \"";
    for (unsigned char C : Text.substr(At, Line)) {
      if (C == '"' || C == '\\') {
        Out += '\\';
        Out += char(C);
      } else if (C >= ' ' && C < 127) {
        Out += char(C);
      } else {
        Out += '\\';
        Out += char('0' + C / 64);
        Out += char('0' + C / 8 % 8);
        Out += char('0' + C % 8);
      }
    }
    Out += "\"\n";
  }
  return Out + ".popsection\n";
}

/* What nothing refers to is in the debug information for us alone. */
static void forgetTypes(Module &M)
{
  if (sys::Process::GetEnv("SCALE_PASS_FORGET").value_or("") == "variables")
    for (DICompileUnit *Unit : M.debug_compile_units())
      Unit->replaceRetainedTypes(nullptr);
}

} // namespace facts

PreservedAnalyses FactsPass::run(Module &M, ModuleAnalysisManager &)
{
  if (!Triple(M.getTargetTriple()).isOSBinFormatELF() || isInstrumented(M))
    return PreservedAnalyses::all();
  DebugInfoFinder Known;
  Known.processModule(M);
  std::unique_ptr<Module> Copy = facts::copyOf(M, Known);
  facts::makeValues(*Copy);
  M.appendModuleInlineAsm(facts::directives(facts::write(*Copy, Known)));
  facts::forgetTypes(M);
  return PreservedAnalyses::all();
}

} // namespace scale
