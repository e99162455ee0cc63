/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JUnit's XML: every budget is a test, and every finding one of a suite of its own. */
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "runner/quantity/budget.h"
#include "runner/review/build.h"
#include "runner/review/review.h"
#include "runner/review/words.h"

typedef struct totals {
  size_t tests, failures, skipped;
} totals;

static void junit_attribute(xmlTextWriterPtr xml, const char *name, const char *text)
{
  (void)xmlTextWriterWriteAttribute(xml, BAD_CAST name, BAD_CAST text);
}

static void add_junit_count(xmlTextWriterPtr xml, const char *name, size_t count)
{
  (void)xmlTextWriterWriteFormatAttribute(xml, BAD_CAST name, "%zu", count);
}

static void begin_junit_element(xmlTextWriterPtr xml, const char *name)
{
  (void)xmlTextWriterStartElement(xml, BAD_CAST name);
}
static void junit_end(xmlTextWriterPtr xml) { (void)xmlTextWriterEndElement(xml); }

static void begin_case(xmlTextWriterPtr xml, const char *class, const char *name)
{
  begin_junit_element(xml, "testcase");
  junit_attribute(xml, "classname", class);
  junit_attribute(xml, "name", name);
  junit_attribute(xml, "time", "0");
}

/* What does the work of a test that is not passed: <failure message type>text</failure>, <skipped message/>. */
static void junit_outcome(xmlTextWriterPtr xml, const char *element, const char *message, const char *type,
                          const char *text)
{
  begin_junit_element(xml, element);
  junit_attribute(xml, "message", message);
  if (type)
    junit_attribute(xml, "type", type);
  if (text && *text)
    (void)xmlTextWriterWriteString(xml, BAD_CAST text);
  junit_end(xml);
}

static bool fails_junit(const sc_notice *notice)
{
  bool good = notice->rule == SC_RULE_BETTER || notice->rule == SC_RULE_GONE || notice->rule == SC_RULE_CHANGE_UNKNOWN;
  return notice->severity >= SC_SEVERITY_WARNING && !good;
}

static const sc_notice *find_budget(const sc_notices *notices, const sc_budget *budget)
{
  for (size_t i = 0; i < notices->count; i++)
    if (notices->list[i].rule == SC_RULE_BUDGET && strcmp(notices->list[i].subject, budget->text) == 0)
      return &notices->list[i];
  return NULL;
}

static totals count_budgets(const sc_notices *notices, const sc_budget_verdict *verdicts, size_t count)
{
  totals all = {.tests = count};
  for (size_t i = 0; i < count; i++) {
    const sc_notice *notice = find_budget(notices, &notices->judge->loaded.workload->budgets[i]);
    bool accepted = notice && notice->accepted;
    all.failures += verdicts[i].state == SC_BUDGET_BROKEN && !accepted;
    all.skipped += verdicts[i].state == SC_BUDGET_CANNOT_TELL || (verdicts[i].state == SC_BUDGET_BROKEN && accepted);
  }
  return all;
}

/* "findings", away from the base values "findings (threads = 64)". */
static void begin_suite(xmlTextWriterPtr xml, const char *what, const sc_notices *notices, totals all)
{
  const sc_workload *workload = notices->judge->loaded.workload;
  sc_buf name = {0};
  sc_buf_puts(&name, what);
  for (size_t i = 0; notices->judge->several && i < workload->other_count; i++)
    sc_buf_printf(&name, "%s%s = %s%s", i ? ", " : " (", workload->others[i].name,
                  sc_format_number(notices->judge->others[i]).s, i + 1 == workload->other_count ? ")" : "");
  begin_junit_element(xml, "testsuite");
  junit_attribute(xml, "name", sc_buf_finish(&name) == 0 ? name.text : what);
  sc_buf_free(&name);
  add_junit_count(xml, "tests", all.tests);
  add_junit_count(xml, "failures", all.failures);
  add_junit_count(xml, "errors", 0);
  add_junit_count(xml, "skipped", all.skipped);
  junit_attribute(xml, "time", "0");
}

static void write_junit_accepted(xmlTextWriterPtr xml, const sc_notice *notice)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "accepted until %s: %s", notice->accepted_until, notice->accepted);
  if (sc_buf_finish(&text) == 0)
    junit_outcome(xml, "skipped", text.text, NULL, NULL);
  sc_buf_free(&text);
}

static int print_budget(xmlTextWriterPtr xml, const sc_notices *notices, size_t i, const sc_budget_verdict *verdict)
{
  const sc_budget *budget = &notices->judge->loaded.workload->budgets[i];
  const sc_notice *notice = find_budget(notices, budget);
  sc_buf words = {0};
  char *name = NULL;
  int err;
  SC_GOTO(sc_notice_copy(&name, budget->text));
  SC_GOTO(sc_notice_clean(&name));
  sc_budget_words(verdict, &words);
  SC_GOTO(sc_buf_finish(&words));
  begin_case(xml, "budget", name);
  if (notice && notice->accepted)
    write_junit_accepted(xml, notice);
  else if (verdict->state == SC_BUDGET_BROKEN)
    junit_outcome(xml, "failure", words.text, "budget", notice ? notice->message : "");
  else if (verdict->state == SC_BUDGET_CANNOT_TELL)
    junit_outcome(xml, "skipped", words.text, NULL, NULL);
  junit_end(xml);
out:
  sc_buf_free(&words);
  free(name);
  return err;
}

static int print_junit_budgets(xmlTextWriterPtr xml, const sc_notices *notices, const sc_budget_verdict *verdicts)
{
  size_t count = notices->judge->loaded.workload->budget_count;
  begin_suite(xml, "budgets", notices, count_budgets(notices, verdicts, count));
  for (size_t i = 0; i < count; i++)
    SC_TRY(print_budget(xml, notices, i, &verdicts[i]));
  junit_end(xml);
  return 0;
}

static totals count_junit_findings(const sc_notices *notices)
{
  totals all = {0};
  for (size_t i = 0; i < notices->count; i++) {
    const sc_notice *notice = &notices->list[i];
    if (notice->rule == SC_RULE_BUDGET)
      continue;
    all.tests++;
    all.skipped += notice->accepted != NULL;
    all.failures += !notice->accepted && fails_junit(notice);
  }
  return all;
}

static int print_finding(xmlTextWriterPtr xml, const sc_notice *notice)
{
  sc_buf name = {0}, text = {0};
  int err;
  char *place = sc_notice_place(notice->file, notice->line, notice->column);
  sc_buf_printf(&name, "%s: %s", notice->subject, notice->metric);
  sc_buf_printf(&text, "%s\n%s\n%s\n%s\nfingerprint: %s\n", place ? place : "", notice->message, notice->evidence,
                notice->advice, notice->fingerprint);
  SC_GOTO(sc_buf_finish(&name));
  SC_GOTO(sc_buf_finish(&text));
  begin_case(xml, sc_rule_id(notice->rule), name.text);
  if (*notice->file)
    junit_attribute(xml, "file", notice->file);
  if (*notice->file && notice->line)
    add_junit_count(xml, "line", notice->line);
  if (notice->accepted)
    write_junit_accepted(xml, notice);
  else if (fails_junit(notice))
    junit_outcome(xml, "failure", notice->message, sc_severity_name(notice->severity), text.text);
  else
    (void)xmlTextWriterWriteElement(xml, BAD_CAST "system-out", BAD_CAST text.text);
  junit_end(xml);
out:
  free(place);
  sc_buf_free(&name);
  sc_buf_free(&text);
  return err;
}

/* The suite's output: what is said of all of it. */
static int print_junit_summary(xmlTextWriterPtr xml, const sc_notices *notices)
{
  sc_buf text = {0};
  bool both = *notices->coverage && *notices->times;
  sc_buf_printf(&text, "%s%s%s", notices->coverage, both ? "\n" : "", notices->times);
  int err = sc_buf_finish(&text);
  if (err == 0 && text.length)
    (void)xmlTextWriterWriteElement(xml, BAD_CAST "system-out", BAD_CAST text.text);
  sc_buf_free(&text);
  return err;
}

/* An empty suite would be read as "nothing was tested". */
static int print_junit_findings(xmlTextWriterPtr xml, const sc_notices *notices)
{
  totals all = count_junit_findings(notices);
  bool none = all.tests == 0;
  all.tests += none;
  begin_suite(xml, notices->comparison ? "changes" : "findings", notices, all);
  if (none) {
    begin_case(xml, "scale-run", notices->comparison ? "no changes" : "no findings");
    junit_end(xml);
  }
  for (size_t i = 0; i < notices->count; i++)
    if (notices->list[i].rule != SC_RULE_BUDGET)
      SC_TRY(print_finding(xml, &notices->list[i]));
  int err = print_junit_summary(xml, notices);
  junit_end(xml);
  return err;
}

static int judge_budgets(const sc_notices *notices, sc_budget_verdict **verdicts)
{
  size_t count = notices->judge->loaded.workload->budget_count;
  SC_TRY(SC_NEW(*verdicts, count ? count : 1));
  for (size_t i = 0; i < count; i++)
    SC_TRY(sc_budget_judge(notices->judge, i, &(*verdicts)[i]));
  return 0;
}

int sc_notices_print_junit(FILE *out, const sc_notices *notices)
{
  sc_budget_verdict *verdicts = NULL;
  xmlBufferPtr buffer = xmlBufferCreate();
  xmlTextWriterPtr xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
  int err = xml ? 0 : sc_err_set(SC_E_NOMEM, "out of memory");
  err = err ?: judge_budgets(notices, &verdicts);
  if (err < 0)
    goto out;
  (void)xmlTextWriterSetIndent(xml, 1);
  (void)xmlTextWriterStartDocument(xml, NULL, "UTF-8", NULL);
  totals budgets = count_budgets(notices, verdicts, notices->judge->loaded.workload->budget_count);
  totals findings = count_junit_findings(notices);
  begin_junit_element(xml, "testsuites");
  junit_attribute(xml, "name", "scale-run");
  add_junit_count(xml, "tests", budgets.tests + findings.tests + (findings.tests == 0));
  add_junit_count(xml, "failures", budgets.failures + findings.failures);
  if (budgets.tests)
    SC_GOTO(print_junit_budgets(xml, notices, verdicts));
  SC_GOTO(print_junit_findings(xml, notices));
  if (xmlTextWriterEndDocument(xml) < 0)
    err = sc_err_set(SC_E_NOMEM, "out of memory while composing XML");
  else
    fputs((const char *)xmlBufferContent(buffer), out);
out:
  if (xml)
    xmlFreeTextWriter(xml);
  xmlBufferFree(buffer);
  free(verdicts);
  return err;
}
