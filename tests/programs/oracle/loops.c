/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oracle-loops FILE OPTIONS...: lists the loops of a translation unit as its source has them, from clang's syntax tree:
 *
 *   <file> TAB <line>:<column> TAB <body file> TAB <line>:<column> TAB <body's expansion file> TAB <line>:<column>
 *
 * first where the loop statement stands (as debug information says it: macro expansions at their use), then where its
 * body starts (as the coverage mapping says it: macro bodies where they are written; and, to fall back on, the use).
 * Leaves out do { ... } while (0), the statement macros are made of: nothing in it ever goes back.
 */
#include <clang-c/Index.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_place(CXFile file, unsigned line, unsigned column, char end)
{
  CXString name = clang_File_tryGetRealPathName(file);
  const char *text = clang_getCString(name);
  if (!text || !*text) {
    clang_disposeString(name);
    name = clang_getFileName(file);
    text = clang_getCString(name);
  }
  printf("%s\t%u:%u%c", text ? text : "?", line, column, end);
  clang_disposeString(name);
}

static enum CXChildVisitResult last_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  *(CXCursor *)data = cursor;
  return CXChildVisit_Continue;
}

static enum CXChildVisitResult first_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  *(CXCursor *)data = cursor;
  return CXChildVisit_Break;
}

static bool never_repeats(CXCursor cursor)
{
  if (clang_getCursorKind(cursor) != CXCursor_DoStmt)
    return false;
  CXCursor condition = clang_getNullCursor();
  clang_visitChildren(cursor, last_child, &condition);
  CXEvalResult result = clang_Cursor_Evaluate(condition);
  if (!result)
    return false;
  bool zero = clang_EvalResult_getKind(result) == CXEval_Int && clang_EvalResult_getAsLongLong(result) == 0;
  clang_EvalResult_dispose(result);
  return zero;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  (void)data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (never_repeats(cursor))
    return CXChildVisit_Recurse;
  if (kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt ||
      kind == CXCursor_CXXForRangeStmt) {
    CXCursor body = clang_getNullCursor();
    clang_visitChildren(cursor, kind == CXCursor_DoStmt ? first_child : last_child, &body);
    CXFile file;
    unsigned line, column;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &file, &line, &column, NULL);
    print_place(file, line, column, '\t');
    CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(body));
    clang_getSpellingLocation(start, &file, &line, &column, NULL);
    print_place(file, line, column, '\t');
    clang_getExpansionLocation(start, &file, &line, &column, NULL);
    print_place(file, line, column, '\n');
  }
  return CXChildVisit_Recurse;
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    fprintf(stderr, "usage: oracle-loops FILE OPTIONS...\n");
    return 2;
  }
  CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit;
  enum CXErrorCode status = clang_parseTranslationUnit2(index, argv[1], (const char *const *)(argv + 2), argc - 2, NULL,
                                                        0, CXTranslationUnit_None, &unit);
  if (status != CXError_Success) {
    fprintf(stderr, "oracle-loops: %s does not parse\n", argv[1]);
    return 1;
  }
  clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, NULL);
  clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return 0;
}
