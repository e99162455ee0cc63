/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "runner/cli/help_rows.h"
#include "runner/cli/pages.h"
#include "runner/options/options.h"
#include "runner/report/gate.h"
#include "runner/workload/sizes.h"

enum { MOST = 16 };

/* Parses a line of words separated by single blanks. */
static int parse(const char *line, sc_options *options)
{
  static char words[512];
  static char *argv[MOST + 1];
  int argc = 0;
  snprintf(words, sizeof words, "%s", line);
  for (char *rest = words, *word; (word = strsep(&rest, " ")) && argc < MOST;)
    argv[argc++] = word;
  argv[argc] = NULL;
  return sc_options_parse(argc, argv, options);
}

static void refuses(const char *line, const char *message, const char *hint)
{
  sc_options options;
  int err = parse(line, &options);
  assert_int_equal(err, SC_E_USAGE);
  assert_int_equal(sc_err_status(err), 2);
  assert_string_equal(sc_err_message(), message);
  assert_string_equal(sc_err_hint_text(), hint);
  sc_options_free(&options);
}

TEST(run_with_a_program)
{
  sc_options o;
  assert_int_equal(parse("scale-run run -P n=100..6400 --at 1e6 -qo my.db --error=2% -- ./prog -o {n}", &o), 0);
  assert_int_equal(o.verb, SC_VERB_RUN);
  assert_string_equal(o.parameter, "n=100..6400");
  assert_string_equal(o.at, "1e6");
  assert_string_equal(o.output, "my.db");
  assert_true(o.quiet);
  assert_false(o.keep);
  assert_true(o.error > 0.0199 && o.error < 0.0201);
  assert_non_null(o.program);
  assert_string_equal(o.program[0], "./prog");
  assert_string_equal(o.program[1], "-o");
  assert_string_equal(o.program[2], "{n}");
  assert_null(o.program[3]);
  sc_options_free(&o);
}

TEST(values_have_types)
{
  sc_options o;
  assert_int_equal(parse("scale-run run w.xml --budget 5min --verify 64k --seed 7 --models delta-infer", &o), 0);
  assert_string_equal(o.operand, "w.xml");
  assert_true(o.budget == 300);
  assert_true(o.verify == 64000);
  assert_int_equal(o.seed, 7);
  assert_string_equal(o.models, "delta-infer");
  assert_null(o.fail_on);
  sc_options_free(&o);
}

TEST(lists_add_up)
{
  sc_options o;
  double *sizes;
  size_t count;
  assert_int_equal(parse("scale-run ask --at n=100 --at 1,500,000,2e6", &o), 0);
  assert_int_equal(sc_sizes_parse(o.at, "n", 0, &sizes, &count), 0);
  assert_int_equal(count, 3);
  assert_true(sizes[0] == 100 && sizes[1] == 1500000 && sizes[2] == 2e6);
  free(sizes);
  assert_int_equal(sc_sizes_parse(o.at, "items", 0, &sizes, &count), SC_E_USAGE);
  assert_string_equal(sc_err_message(), "the parameter is items, not n");
  assert_string_equal(sc_err_hint_text(),
                      "--at items=100; to vary n too: scale-run run -P items=LOW..HIGH -P n=1,2,4,8");
  sc_options_free(&o);
}

TEST(gates_are_listed)
{
  static const char *const wrong[] = {"cost", "cost=1x", "cost>0.5x", "cost>1.5y", "cost>", "cost=-2", "order,cost"};
  sc_options o;
  assert_int_equal(parse("scale-run diff a.db --fail-on order,cost>1.5x,budget", &o), 0);
  assert_string_equal(o.diff_fail_on, "order,cost>1.5x,budget");
  assert_true(sc_gate_cost_ratio(o.diff_fail_on) == 1.5);
  sc_options_free(&o);
  assert_int_equal(parse("scale-run diff a.db --fail-on cost=3", &o), 0);
  assert_true(sc_gate_cost_ratio(o.diff_fail_on) == 3);
  assert_true(sc_gate_cost_ratio("order") == 0 && sc_gate_cost_ratio(NULL) == 0);
  sc_options_free(&o);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char line[128];
    snprintf(line, sizeof line, "scale-run diff a.db --fail-on %s", wrong[i]);
    assert_int_equal(parse(line, &o), SC_E_USAGE);
    assert_string_equal(sc_err_hint_text(),
                        "a ratio above 1 belongs to it: --fail-on cost=1.5x (with > instead of = it needs quotes)");
    sc_options_free(&o);
  }
  refuses("scale-run diff a.db --fail-on order,,any", "invalid --fail-on \"\"",
          "one or more of, separated by commas: none|order|cost=1.5x|budget|any");
  refuses("scale-run report --fail-on cost>2x", "invalid --fail-on \"cost>2x\"",
          "one or more of, separated by commas: none|superlinear|order|any|warning|resource|budget");
}

TEST(multiples_need_a_measured_size)
{
  double *sizes;
  size_t count;
  assert_true(sc_sizes_relative("n=5;10x"));
  assert_false(sc_sizes_relative("xx=5,100"));
  assert_int_equal(sc_sizes_parse("n=10x,7", NULL, 6400, &sizes, &count), 0);
  assert_int_equal(count, 2);
  assert_true(sizes[0] == 64000 && sizes[1] == 7);
  free(sizes);
  assert_int_equal(sc_sizes_parse("10x", NULL, 0, &sizes, &count), SC_E_USAGE);
  assert_int_equal(sc_sizes_parse("abc", NULL, 0, &sizes, &count), SC_E_USAGE);
  assert_int_equal(sc_sizes_parse("0", NULL, 0, &sizes, &count), SC_E_USAGE);
  assert_int_equal(sc_sizes_parse("-5", NULL, 0, &sizes, &count), SC_E_USAGE);
  assert_int_equal(sc_sizes_parse("", NULL, 0, &sizes, &count), SC_E_USAGE);
}

TEST(mistakes_name_the_nearest)
{
  refuses("scale-run reprot", "unknown verb \"reprot\"", "did you mean `scale-run report`?");
  refuses("scale-run report --fromat=text", "unknown option --fromat", "did you mean --format?");
  refuses("scale-run frobnicate", "unknown verb \"frobnicate\"", "`scale-run --help` lists what there is");
  refuses("scale-run report -z", "unknown option -z", "`scale-run report --help` lists what there is");
  refuses("scale-run report --restart", "`scale-run report` has no option --restart",
          "`scale-run report --help` lists what there is");
  refuses("scale-run",
          "say what to do: run, attach, report, ask, blame, verify, fit, diff, baseline, study, export, discover, "
          "fuzz, lsp, doctor "
          "or dump",
          "`scale-run --help` lists what there is");
}

TEST(bad_values_say_what_is_needed)
{
  refuses("scale-run blame --format yaml", "invalid --format \"yaml\"", "one of: text|dot|json");
  refuses("scale-run blame --format do", "invalid --format \"do\"", "one of: text|dot|json");
  refuses("scale-run blame --format dot:", "invalid --format \"dot:\"", "one of: text|dot|json");
  refuses("scale-run report --top many", "--top needs a whole number, not \"many\"", "for example --top 10");
  refuses("scale-run report --top -1", "--top needs a whole number, not \"-1\"", "for example --top 10");
  refuses("scale-run fuzz --jobs 0", "--jobs needs a whole number from 1 on, not \"0\"", "for example --jobs 1");
  refuses("scale-run fuzz --seed 0", "--seed needs a whole number from 1 on, not \"0\"", "for example --seed 1");
  refuses("scale-run fuzz --runs 0", "--runs needs a whole number from 1 on, not \"0\"", "for example --runs 4");
  refuses("scale-run ask --top 0", "--top needs a whole number from 1 on, not \"0\"", "for example --top 10");
  refuses("scale-run diff b --format markdown --json", "--json and --format markdown exclude each other",
          "--json is --format json");
  refuses("scale-run fit --json --format jsonl f", "--json and --format jsonl exclude each other",
          "--json is --format json");
  refuses("scale-run report --top --all", "--top needs a value", "--top COUNT");
  refuses("scale-run --version --json", "`scale-run` has no option --json", "`scale-run --help` lists what there is");
  refuses("scale-run run --error 0 x", "--error needs a number above 0, not \"0\"", "for example --error 5%");
  refuses("scale-run run --error nan x", "--error needs a number above 0, not \"nan\"", "for example --error 5%");
  refuses("scale-run ask --at", "--at needs a value", "--at [NAME=]SIZE,...");
  refuses("scale-run report --json=yes", "--json takes no value", "`scale-run report --help` lists what there is");
  refuses("scale-run run a.xml b.xml", "unexpected argument \"b.xml\"",
          "the program under test and its arguments come behind --");
  refuses("scale-run ask -- ./prog", "only `scale-run run` and `scale-run fuzz` take a program behind --",
          "`scale-run ask --help` lists what there is");
  refuses("scale-run run -P n=1..2 --", "no program behind --", "`scale-run run --help` lists what there is");
}

TEST(help_is_found_everywhere)
{
  sc_options o;
  assert_int_equal(parse("scale-run --help", &o), 0);
  assert_true(o.help);
  assert_int_equal(o.verb, SC_VERB_COUNT);
  assert_int_equal(parse("scale-run help ask", &o), 0);
  assert_true(o.help);
  assert_int_equal(o.verb, SC_VERB_ASK);
  assert_int_equal(parse("scale-run --help=man", &o), 0);
  assert_string_equal(o.page, "man");
  assert_int_equal(parse("scale-run report -h", &o), 0);
  assert_true(o.help);
}

enum { PAGES = 5 };

/* All that is said about the command line: help, man pages, completions of bash, zsh and fish. */
static void print_pages(char *text[PAGES])
{
  size_t size[PAGES];
  FILE *out[PAGES];
  for (int i = 0; i < PAGES; i++)
    assert_non_null(out[i] = open_memstream(&text[i], &size[i]));
  for (int verb = 0; verb <= SC_VERB_COUNT; verb++) {
    sc_help_print(out[0], (enum sc_verb)verb, 100);
    assert_int_equal(sc_pages_print(out[1], "man", (enum sc_verb)verb), 0);
  }
  assert_int_equal(sc_pages_print(out[2], "bash", SC_VERB_COUNT), 0);
  assert_int_equal(sc_pages_print(out[3], "zsh", SC_VERB_COUNT), 0);
  assert_int_equal(sc_pages_print(out[4], "fish", SC_VERB_COUNT), 0);
  for (int i = 0; i < PAGES; i++)
    fclose(out[i]);
}

/* Every option of the table, and every word it takes, must be on all pages. */
TEST(pages_are_complete)
{
  char *text[PAGES] = {0};
  sc_option_choice choice;
  print_pages(text);
  for (size_t i = 0; i < sc_options_table_count; i++) {
    const sc_option_row *row = &sc_options_table[i];
    char name[64], roff[64], fish[64], *to = roff;
    snprintf(name, sizeof name, "--%s", row->name);
    snprintf(fish, sizeof fish, " -l %s ", row->name);
    for (const char *c = name; *c; c++)
      to += sprintf(to, *c == '-' ? "\\-" : "%c", *c);
    const char *const wanted[PAGES] = {name, roff, name, name, fish};
    for (int page = 0; page < PAGES; page++)
      assert_non_null(strstr(text[page], wanted[page]));
    for (const char *rest = sc_options_has_choices(row) ? row->choices : NULL;
         sc_options_next_choice(&rest, &choice);) {
      snprintf(name, sizeof name, "%.*s", choice.name_length, choice.name);
      for (int page = 0; page < PAGES; page++)
        assert_true(page == 1 || strstr(text[page], name));
    }
  }
  for (char *line = text[0]; *line; line += strcspn(line, "\n") + 1)
    assert_true(strcspn(line, "\n") <= 100);
  for (int i = 0; i < PAGES; i++)
    free(text[i]);
}

/* Each choice says what it means, each option is in a section, and what is short enough for a completion says it. */
TEST(rows_say_what_they_mean)
{
  sc_option_choice choice;
  assert_int_equal(sc_help_sections[0].first, 0);
  for (size_t i = 0; i < sc_options_table_count; i++) {
    const sc_option_row *row = &sc_options_table[i];
    int choices = 0, gist = sc_help_gist(row->help);
    if (gist < 8 || gist > 110 || (row->kind != SC_OPTION_FLAG) != (row->argument != NULL))
      fail_msg("--%s: \"%.*s\"", row->name, gist, row->help);
    for (const char *rest = sc_options_has_choices(row) ? row->choices : NULL;
         sc_options_next_choice(&rest, &choice);) {
      if (choice.help_length == 0)
        fail_msg("--%s does not say what \"%.*s\" means", row->name, choice.name_length, choice.name);
      choices++;
    }
    assert_true(sc_options_has_choices(row) ? choices >= 2 : choices == 0);
  }
}

TEST(operands_tell_which_files)
{
  sc_help_files files;
  assert_true(sc_help_files_of("[STUDY]", &files));
  assert_int_equal(files.count, 1);
  assert_string_equal(files.endings[0], "db");
  assert_true(sc_help_files_of("BASE [HEAD]", &files));
  assert_int_equal(files.count, 2);
  assert_string_equal(files.endings[1], "json");
  assert_true(sc_help_files_of("WORKLOAD.xml | -P NAME=LOW..HIGH -- PROGRAM [ARGUMENT...]", &files));
  assert_int_equal(files.count, 1);
  assert_string_equal(files.endings[0], "xml");
  assert_true(sc_help_files_of("[FILE...|-]", &files));
  assert_int_equal(files.count, 0);
  assert_false(sc_help_files_of("NAME=SIZE", &files));
  assert_int_equal(sc_help_gist("Samples a second. More."), 16);
  assert_int_equal(sc_help_gist("As --limit 0.5 has it: so"), 21);
}
