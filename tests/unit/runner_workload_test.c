/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/workload/workload.h"

#include <stdlib.h>

#define HEAD    "<workload name=\"w\">\n<parameter name=\"n\"><range low=\"100\" high=\"800\"/></parameter>\n"
#define COMMAND "<command><arg>./prog</arg><arg>{n}</arg></command>\n"
#define TAIL    "</workload>\n"

static const char full[] =
    "<workload name=\"full\">\n"
    "  <title>Everything</title>\n"
    "  <parameter name=\"items\" unit=\"lines\" kind=\"work\">\n"
    "    <range low=\"100\" high=\"6.4k\"/>\n"
    "    <validation low=\"50\" high=\"20k\" count=\"3\"/>\n"
    "    <first>400 100, 200</first>\n"
    "    <targets>1,000,000 2e6</targets>\n"
    "  </parameter>\n"
    "  <repeats>2</repeats>\n"
    "  <setup><command><arg>mk</arg></command><command><arg>db</arg></command></setup>\n"
    "  <generate file=\"{dir}/in\"><line repeat=\"{items}\">{i}: x &lt; y</line><text>end</text></generate>\n"
    "  <prepare><command><arg>touch</arg><arg>{dir}/a</arg></command></prepare>\n"
    "  <service stop=\"INT\"><command><arg>srv</arg></command><ready port=\"8080\" timeout=\"2s\"/></service>\n"
    "  <command stdin=\"{dir}/in\" stdout=\"{dir}/out\" output=\"required\" directory=\"/tmp\" status=\"3\" "
    "timeout=\"1min\">\n"
    "    <arg>{env:PROG}</arg><arg>-n</arg><arg>{items}</arg><arg></arg><env name=\"LANG\">C {items}</env>\n"
    "  </command>\n"
    "  <cleanup><command><arg>rm</arg></command></cleanup>\n"
    "  <teardown><command><arg>down</arg></command></teardown>\n"
    "  <task function=\"handle_request\"/><task function=\"ns::upload(int)\"/>\n"
    "  <roots><function name=\"on_click\"/><thread start=\"worker\"/></roots>\n"
    "  <budgets><budget metric=\"time\" n=\"1M\" limit=\"200ms\"/></budgets>\n"
    "</workload>\n";

static sc_workload *parse(const char *text)
{
  sc_workload *workload;
  if (sc_workload_parse(text, "w.xml", &workload) < 0) {
    fprintf(stderr, "%s\n", sc_err_message());
    fail();
  }
  return workload;
}

TEST(test_every_element)
{
  sc_workload *w = parse(full);
  assert_string_equal(w->name, "full");
  assert_string_equal(w->title, "Everything");
  assert_string_equal(w->parameter, "items");
  assert_string_equal(w->unit, "lines");
  assert_true(w->range_low == 100 && w->range_high == 6400);
  assert_true(w->validation_low == 50 && w->validation_high == 20000);
  assert_int_equal(w->validation_count, 3);
  assert_int_equal(w->first_count, 3);
  assert_true(w->first[0] == 100 && w->first[1] == 200 && w->first[2] == 400);
  assert_int_equal(w->target_count, 2);
  assert_true(w->targets[0] == 1e6 && w->targets[1] == 2e6);
  assert_int_equal(w->repeats, 2);
  assert_int_equal(w->setup_count, 2);
  assert_string_equal(w->setup[1].argv[0], "db");
  assert_int_equal(w->generator_count, 1);
  assert_int_equal(w->generators[0].part_count, 2);
  assert_string_equal(w->generators[0].parts[0].text, "{i}: x < y\n");
  assert_string_equal(w->generators[0].parts[0].repeat, "{items}");
  assert_string_equal(w->generators[0].parts[1].text, "end");
  assert_string_equal(w->generators[0].parts[1].repeat, "1");
  assert_int_equal(w->prepare_count, 1);
  assert_int_equal(w->service->wait_port, 8080);
  assert_true(w->service->wait_seconds == 2);
  assert_int_equal(w->service->stop_signal, 2);
  assert_string_equal(w->command.stdin_file, "{dir}/in");
  assert_string_equal(w->command.stdout_file, "{dir}/out");
  assert_true(w->command.output_required);
  assert_string_equal(w->command.directory, "/tmp");
  assert_int_equal(w->command.expect_status, 3);
  assert_true(w->command.timeout == 60);
  assert_string_equal(w->command.argv[3], "");
  assert_null(w->command.argv[4]);
  assert_string_equal(w->command.environment[0], "LANG=C {items}");
  assert_null(w->command.environment[1]);
  assert_int_equal(w->kind, SC_PARAMETER_WORK);
  assert_int_equal(w->task_count, 2);
  assert_string_equal(w->tasks[0], "handle_request");
  assert_string_equal(w->tasks[1], "ns::upload(int)");
  assert_int_equal(w->root_count, 2);
  assert_string_equal(w->roots[1], "worker");
  assert_int_equal(w->budget_count, 1);
  assert_true(w->budgets[0].n == 1e6 && w->budgets[0].limit == 0.2);
  assert_string_equal(w->source, full);
  sc_workload_free(w);
}

TEST(test_defaults)
{
  sc_workload *w = parse(HEAD COMMAND TAIL);
  assert_true(w->validation_low == 100 && w->validation_high == 1600);
  assert_int_equal(w->kind, SC_PARAMETER_DATA);
  assert_int_equal(w->task_count, 0);
  assert_int_equal(w->repeats, 1);
  assert_int_equal(w->first_count, 0);
  assert_int_equal(w->command.expect_status, 0);
  assert_null(w->service);
  sc_workload_free(w);
}

/* Each text gives an error with this line in front, this message inside and a hint. */
static const struct {
  const char *text, *where, *message;
} invalid[] = {
    {"", "w.xml:1:", "not well-formed"},
    {"<workload name=\"w\">\n<parameter", "w.xml:2:", "not well-formed"},
    {"<study/>", "w.xml:1:", "outermost element is <study>"},
    {HEAD COMMAND "<colour/>\n" TAIL, "w.xml:4:", "unknown element <colour> in <workload>"},
    {HEAD "<command wait=\"1\"><arg>x</arg></command>" TAIL, "w.xml:3:", "unknown attribute wait of <command>"},
    {HEAD "<command>\n<shell>x</shell></command>" TAIL, "w.xml:4:", "unknown element <shell> in <command>"},
    {HEAD TAIL, "w.xml:1:", "<workload> holds no <command>"},
    {"<workload name=\"w\">" COMMAND TAIL, "w.xml:1:", "<workload> holds no <parameter>"},
    {"<workload>" COMMAND TAIL, "w.xml:1:", "<workload> has no attribute name"},
    {HEAD COMMAND COMMAND TAIL, "w.xml:4:", "a second <command> in <workload>"},
    {HEAD COMMAND "<setup></setup>" TAIL, "w.xml:4:", "<setup> holds no <command>"},
    {HEAD COMMAND "<service><ready port=\"70000\"/><command><arg>x</arg></command></service>" TAIL,
     "w.xml:4:", "70000"},
    {HEAD COMMAND "<service><ready/><command><arg>x</arg></command></service>" TAIL,
     "w.xml:4:", "not a valid workload"},
    {"<workload name=\"w\"><parameter name=\"n\" kind=\"users\"><range low=\"1\" high=\"9\"/></parameter>" COMMAND TAIL,
     "w.xml:1:", "kind"},
    {HEAD COMMAND "<task/>" TAIL, "w.xml:4:", "<task> has no attribute function"},
    {HEAD COMMAND "<task function=\"\"/>" TAIL, "w.xml:4:", "the function of <task> is empty"},
    {HEAD COMMAND "stray" TAIL, "w.xml:1:", "not a valid workload"},
    {HEAD "<command/>" TAIL, "w.xml:3:", "<command> holds no <arg>"},
    {HEAD "<command status=\"300\"><arg>x</arg></command>" TAIL, "w.xml:3:", "300\" is not a number from 0 to 255"},
    {HEAD "<command><arg/></command>" TAIL, "w.xml:3:", "name is empty"},
    {HEAD "<command timeout=\"soon\"><arg>x</arg></command>" TAIL, "w.xml:3:", "\"soon\" is not a time"},
    {HEAD "<command>\n<arg>x</arg>\n<arg>{m}</arg></command>" TAIL, "w.xml:5:", "unknown placeholder {m}"},
    {HEAD "<command><arg>x</arg><arg>{n</arg></command>" TAIL, "w.xml:3:", "not closed"},
    {HEAD "<command><arg>x</arg><env name=\"A=B\">1</env></command>" TAIL,
     "w.xml:3:", "not a valid name of an environment"},
    {HEAD "<generate file=\"f\"><line repeat=\"{n}*\">x</line></generate>" COMMAND TAIL, "w.xml:3:", "repeat="},
    {HEAD "<generate file=\"f\" family='\"a\" * m'/>" COMMAND TAIL, "w.xml:3:", "n, a number, i or down is expected"},
    {HEAD "<generate file=\"f\" family='\"a\" * n'><line>x</line></generate>" COMMAND TAIL, "w.xml:", ""},
    {HEAD "<generate file=\"f\"><line repeat=\"-{n}\">x</line></generate>" COMMAND TAIL, "w.xml:3:", "repeat="},
    {HEAD "<parameter name=\"t\"><sizes>1 2</sizes></parameter>" COMMAND TAIL, "w.xml:3:", "3 or more are needed"},
    {HEAD "<parameter name=\"t\"><sizes>2 1 2 2 1</sizes></parameter>" COMMAND TAIL, "w.xml:3:", "has 2 different"},
    {HEAD "<parameter name=\"t\" base=\"5\"><sizes>1 2 4</sizes></parameter>" COMMAND TAIL,
     "w.xml:3:", "base value 5 of t is not one"},
    {HEAD "<parameter name=\"t\"><sizes>1 0 4</sizes></parameter>" COMMAND TAIL, "w.xml:3:", "\"0\" is not a size"},
    {HEAD "<parameter name=\"n\"><sizes>1 2 4</sizes></parameter>" COMMAND TAIL, "w.xml:3:", "two parameters"},
    {HEAD "<parameter name=\"dir\"><sizes>1 2 4</sizes></parameter>" COMMAND TAIL, "w.xml:3:", "cannot be called"},
    {HEAD "<parameter name=\"t\"/>" COMMAND TAIL, "w.xml:3:", "holds no <sizes>"},
    {HEAD "<parameter name=\"t\"><sizes>1 2 4</sizes><first>1</first></parameter>" COMMAND TAIL,
     "w.xml:3:", "has no <first>"},
    {HEAD "<parameter name=\"t\"><sizes>1 2 4</sizes><targets>0</targets></parameter>" COMMAND TAIL,
     "w.xml:3:", "\"0\" is not a size"},
    {HEAD "<parameter name=\"t\"><range low=\"1\" high=\"4\"/></parameter>" COMMAND TAIL, "w.xml:3:", "a second"},
    {"<workload name=\"w\">\n<parameter name=\"t\"><sizes>1 2 4</sizes></parameter>" COMMAND TAIL,
     "w.xml:2:", "holds no <range>"},
    {"<workload name=\"w\">\n<parameter name=\"n\" base=\"1\"><range low=\"1\" high=\"9\"/></parameter>" COMMAND TAIL,
     "w.xml:2:", "no <sizes> and no base"},
    {HEAD "<parameter name=\"a\"><sizes>1 2 4</sizes></parameter><parameter name=\"b\"><sizes>1 2 4</sizes></parameter>"
          "\n<parameter name=\"c\"><sizes>1 2 4</sizes></parameter>" COMMAND TAIL,
     "w.xml:4:", "more than 2 parameters beside"},
    {"<workload name=\"a b\">" COMMAND TAIL, "w.xml:1:", "holds no <parameter>"},
    {"<workload name=\"w\">\n<parameter name=\"n m\"><range low=\"1\" high=\"9\"/></parameter>" COMMAND TAIL,
     "w.xml:2:", "is not a name"},
    {"<workload name=\"w\">\n<parameter name=\"n\"><range low=\"1\"/></parameter>" COMMAND TAIL,
     "w.xml:2:", "<range> has no attribute high"},
    {HEAD "<repeats>100000</repeats>" COMMAND TAIL, "w.xml:3:", "from 1 to 1000"},
    {"<!DOCTYPE w [<!ENTITY a \"b\">]>\n" HEAD COMMAND TAIL, "w.xml:1:", "no document type"},
    {"<workload name=\"w\"><parameter name=\"n\"><range low=\"9\" high=\"3\"/></parameter>" COMMAND TAIL,
     "w.xml:1:", "range 9..3 of n is empty"},
    {"<workload name=\"w\"><parameter name=\"n\">\n<range low=\"x\" high=\"3\"/></parameter>" COMMAND TAIL,
     "w.xml:2:", "\"x\" is not a size"},
    {"<workload name=\"w\"><parameter name=\"n\"><range low=\"1\" high=\"9\"/><first>3 10</first></parameter>" COMMAND
         TAIL,
     "w.xml:1:", "first size 10 is outside"},
    {"<workload name=\"w\"><parameter name=\"n\"><range low=\"1\" high=\"9\"/><validation "
     "high=\"8\"/></parameter>" COMMAND TAIL,
     "w.xml:1:", "does not include"},
    {"<workload name=\"w\"><parameter name=\"dir\"><range low=\"1\" high=\"9\"/></parameter>" COMMAND TAIL,
     "w.xml:1:", "cannot be called"},
};

TEST(test_invalid)
{
  for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
    sc_workload *w = (sc_workload *)1;
    int err = sc_workload_parse(invalid[i].text, "w.xml", &w);
    bool right = err == SC_E_INPUT && !w && !strncmp(sc_err_message(), invalid[i].where, strlen(invalid[i].where)) &&
                 strstr(sc_err_message(), invalid[i].message);
    if (!right)
      fail_msg("case %zu: %d \"%s\", expected \"%s\" at %s", i, err, sc_err_message(), invalid[i].message,
               invalid[i].where);
  }
}

TEST(test_hint_lists_what_is_allowed)
{
  sc_workload *w;
  assert_int_equal(sc_workload_parse(HEAD "<command>\n<shell>x</shell></command>" TAIL, "w.xml", &w), SC_E_INPUT);
  assert_non_null(strstr(sc_err_hint_text(), "<arg>"));
  assert_non_null(strstr(sc_err_hint_text(), "<env>"));
}

TEST(test_missing_file)
{
  sc_workload *w;
  assert_int_equal(sc_workload_load("/proc/self/exe/w.xml", &w), SC_E_INPUT);
  assert_non_null(strstr(sc_err_message(), "/proc/self/exe/w.xml"));
  assert_true(*sc_err_hint_text() != '\0');
}

TEST(test_command_line)
{
  char *argv[] = {"./my prog", "--x=<{n}>", "a&b", "", NULL};
  sc_workload *w;
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=100..6400", "1e6,2e6"}, argv, &w), 0);
  assert_string_equal(w->name, "my_prog");
  assert_true(w->range_low == 100 && w->range_high == 6400 && w->validation_high == 6400);
  assert_int_equal(w->target_count, 2);
  for (size_t i = 0; i < 4; i++)
    assert_string_equal(w->command.argv[i], argv[i]);
  assert_null(w->command.argv[4]);
  sc_workload *again = parse(w->source);
  char one[17], two[17];
  assert_int_equal(sc_workload_hash(w, one), 0);
  assert_int_equal(sc_workload_hash(again, two), 0);
  assert_string_equal(one, two);
  sc_workload_free(again);
  sc_workload_free(w);
  assert_int_equal(
      sc_workload_from_command(&(sc_workload_words){"k=100,200,400", NULL}, (char *[]){"p", "{k}", NULL}, &w), 0);
  assert_int_equal(w->first_count, 3);
  assert_true(w->range_low == 100 && w->range_high == 400);
  sc_workload_free(w);
}

/* A size that is proposed: of threads 10, and not 9.7. */
TEST(proposed_sizes_are_such_as_the_program_takes)
{
  static const struct {
    const char *words;
    double n, size;
  } cases[] = {{"n=1,2,3,4", 9.61, 10},  {"n=1..4", 8.31, 9},    {"n=0.5..4", 8.31, 8.4},
               {"n=1,1.5,4", 8.31, 8.4}, {"n=1..4", 123.4, 130}, {"n=1..4", 8, 8}};
  char *argv[] = {"p", "{n}", NULL};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_workload *w;
    assert_int_equal(sc_workload_from_command(&(sc_workload_words){cases[i].words, NULL}, argv, &w), 0);
    assert_true(sc_workload_round_up(w, cases[i].n) == cases[i].size);
    sc_workload_free(w);
  }
}

/* What a range or a list lets run: only a range with "+" is left, and only one without may be opened by it. */
TEST(test_where_sizes_end)
{
  static const struct {
    const char *words;
    double validation_high;
    bool closed, may_open;
  } cases[] = {{"n=100..6400", 6400, true, true},
               {"n=100..6400+", 12800, false, false},
               {"n=100..6k+", 12000, false, false},
               {"n=100,6400", 6400, true, false}};
  char *argv[] = {"p", "{n}", NULL};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_workload *w;
    assert_int_equal(sc_workload_from_command(&(sc_workload_words){cases[i].words, NULL}, argv, &w), 0);
    assert_true(w->validation_low == 100 && w->validation_high == cases[i].validation_high);
    assert_int_equal(sc_workload_is_closed(w), cases[i].closed);
    assert_int_equal(sc_workload_may_open(w), cases[i].may_open);
    sc_workload_free(w);
  }
  static const char *const refused[] = {"n=100..+", "n=+..100", "n=100..6400++", "n=100+..6400", "n=100,6400+"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    sc_workload *w;
    assert_true(sc_workload_from_command(&(sc_workload_words){refused[i], NULL}, argv, &w) < 0);
    assert_non_null(strstr(sc_err_message(), "is not a size"));
  }
}

TEST(test_further_parameters)
{
  /* In front of the focused one, which is known by its range. */
  sc_workload *w = parse("<workload name=\"w\"><parameter name=\"threads\" kind=\"threads\" base=\"2\">"
                         "<sizes>8 4 1 2</sizes></parameter><parameter name=\"n\"><range low=\"1\" high=\"9\"/>"
                         "</parameter><command><arg>p</arg><arg>{n}</arg><arg>{threads}</arg></command></workload>");
  assert_string_equal(w->parameter, "n");
  assert_int_equal(w->other_count, 1);
  assert_string_equal(w->others[0].name, "threads");
  assert_int_equal(w->others[0].kind, SC_PARAMETER_THREADS);
  assert_int_equal(w->others[0].count, 4);
  assert_true(w->others[0].values[0] == 1 && w->others[0].values[3] == 8 && w->others[0].base == 2);
  double base[SC_RUN_OTHERS];
  sc_workload_base(w, base);
  assert_true(base[0] == 2 && base[1] == 0 && sc_workload_is_base(w, base));
  sc_expand_vars vars = sc_workload_vars(w, 7, (const double[]){4, 0});
  assert_true(vars.n == 7 && vars.others[0] == 4);
  assert_string_equal(vars.other_names[0], "threads");
  assert_null(vars.other_names[1]);
  base[0] = 4;
  assert_false(sc_workload_is_base(w, base));
  sc_workload_free(w);
}

/* More values keep a study; another base, or another name, does not. A command line's first value is the base. */
TEST(test_further_parameters_of_a_command_line)
{
  static const char *const words[] = {"n=1..9;t=2,1,4", "n=1..9;t=2,1,4,8", "n=1..9;t=1,2,4"};
  char *argv[] = {"p", "{n}", "{t}", NULL}, hashes[3][17];
  sc_workload *w;
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(sc_workload_from_command(&(sc_workload_words){words[i], NULL}, argv, &w), 0);
    assert_true(w->others[0].base == (i < 2 ? 2 : 1) && w->others[0].values[0] == 1);
    assert_int_equal(sc_workload_hash(w, hashes[i]), 0);
    sc_workload_free(w);
  }
  assert_string_equal(hashes[0], hashes[1]);
  assert_string_not_equal(hashes[0], hashes[2]);
  static const char *const bad[] = {"n=1..9;t", "n=1..9;a=1,2,3;t=1,2,3;b=1,2,3", ";", "n=1..9;=1,2"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (sc_workload_from_command(&(sc_workload_words){bad[i], NULL}, argv, &w) != SC_E_USAGE || w)
      fail_msg("%s was taken", bad[i]);
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=1..9;q=1,2,3", NULL}, argv, &w), SC_E_USAGE);
  assert_non_null(strstr(sc_err_message(), "{q}"));
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=1..9;t=1,2", NULL}, argv, &w), SC_E_INPUT);
}

/* A range of a further parameter stands for a few values, the same in a file and on a command line. */
TEST(test_range_of_a_further_parameter)
{
  static const struct {
    const char *range;
    size_t count;
    double values[7];
  } cases[] = {{"1..64", 6, {1, 2, 5, 12, 28, 64}}, {"1..32", 6, {1, 2, 4, 9, 14, 32}},
               {"1..4", 4, {1, 2, 3, 4}},           {"1k..10k", 6, {1000, 1585, 2512, 3981, 6310, 10000}},
               {" 1 .. 3 ", 3, {1, 2, 3}},          {"1,2,64", 3, {1, 2, 64}}};
  char *argv[] = {"p", "{n}", "{m}", NULL}, text[512];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_workload *w;
    snprintf(text, sizeof text, "n=1..9;m=%s", cases[i].range);
    assert_int_equal(sc_workload_from_command(&(sc_workload_words){text, NULL}, argv, &w), 0);
    snprintf(text, sizeof text,
             "<workload name=\"w\"><parameter name=\"n\"><range low=\"1\" high=\"9\"/></parameter><parameter "
             "name=\"m\"><sizes>%s</sizes></parameter><command><arg>p</arg></command></workload>",
             cases[i].range);
    sc_workload *file = parse(text);
    assert_int_equal(w->others[0].count, cases[i].count);
    assert_memory_equal(w->others[0].values, cases[i].values, cases[i].count * sizeof(double));
    assert_memory_equal(file->others[0].values, cases[i].values, cases[i].count * sizeof(double));
    assert_true(w->others[0].base == cases[i].values[0] && file->others[0].base == cases[i].values[0]);
    sc_workload_free(w);
    sc_workload_free(file);
  }
  sc_workload *w =
      parse("<workload name=\"w\"><parameter name=\"n\"><range low=\"1\" high=\"9\"/></parameter><parameter "
            "name=\"m\" base=\"4\"><sizes>1..64</sizes></parameter><command><arg>p</arg></command></workload>");
  assert_int_equal(w->others[0].count, 7);
  assert_true(w->others[0].base == 4 && w->others[0].values[2] == 4);
  sc_workload_free(w);
  static const struct {
    const char *range, *why;
  } bad[] = {{"1..64+", "no values of a further parameter are chosen beyond its range"},
             {"64..1", "the range 64..1 of m is empty"},
             {"8..8", "is empty"},
             {"1..2", "3 or more are needed"},
             {"1-64", "invalid range"},
             {"0..64", "is not a size"},
             {"1..", "has no upper end"},
             {"..64", "has no lower end"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    snprintf(text, sizeof text, "n=1..9;m=%s", bad[i].range);
    assert_true(sc_workload_from_command(&(sc_workload_words){text, NULL}, argv, &w) < 0);
    if (!strstr(sc_err_message(), bad[i].why))
      fail_msg("%s: %s", bad[i].range, sc_err_message());
  }
}

/* Three dots, a dash or a colon between two numbers, but no sign of an exponent. */
TEST(mistaken_dots_are_named)
{
  static const struct {
    const char *range, *hint; /* NULL: it is taken */
  } cases[] = {{"100-6400", "a range has two dots: 100..6400"},
               {"100:6400", "a range has two dots: 100..6400"},
               {"100...6400", "a range has two dots: 100..6400"},
               {"100--6400", "a range has two dots: 100..6400"},
               {"1e2-6400+", "a range has two dots: 1e2..6400+"},
               {"..6400", "for example 100..6400"},
               {"100..", "for example 100..6400"},
               {"1.5..6400", NULL},
               {"1e-1..6400", NULL},
               {"100..6.4e3", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double low = 0, high = 0;
    bool range, open;
    int err = sc_workload_parse_range(cases[i].range, &range, &low, &high, &open);
    assert_int_equal(err, cases[i].hint ? SC_E_USAGE : 0);
    if (cases[i].hint)
      assert_string_equal(sc_err_hint_text(), cases[i].hint);
    else
      assert_true(range && !open && low > 0 && high == 6400);
  }
}

/* --kind and --task become part of the file that stands for the command line, and can be replaced later. */
TEST(test_kind_and_tasks)
{
  const sc_workload_words words = {"n=1..64", NULL, "threads", "serve;a<b>::c(int, char)"};
  sc_workload *w;
  assert_int_equal(sc_workload_from_command(&words, (char *[]){"p", "{n}", NULL}, &w), 0);
  sc_workload *again = parse(w->source);
  assert_int_equal(again->kind, SC_PARAMETER_THREADS);
  assert_int_equal(again->task_count, 2);
  assert_string_equal(again->tasks[0], "serve");
  assert_string_equal(again->tasks[1], "a<b>::c(int, char)");
  assert_int_equal(sc_workload_set_tasks(again, NULL, NULL), 0);
  assert_int_equal(again->task_count, 2);
  assert_int_equal(sc_workload_set_tasks(again, "clients", "other"), 0);
  assert_int_equal(again->kind, SC_PARAMETER_CLIENTS);
  assert_int_equal(again->task_count, 1);
  assert_string_equal(again->tasks[0], "other");
  sc_workload_free(again);
  sc_workload_free(w);
}

/* A name that says it needs no --kind; --kind has the last word. */
TEST(test_kind_by_name)
{
  static const struct {
    const char *sizes, *asked;
    enum sc_parameter_kind kind;
  } cases[] = {{"threads=1..8", NULL, SC_PARAMETER_THREADS},     {"workers=1..8", NULL, SC_PARAMETER_THREADS},
               {"clients=1..8", NULL, SC_PARAMETER_CLIENTS},     {"connections=1..8", NULL, SC_PARAMETER_CLIENTS},
               {"clients=1..8", "data", SC_PARAMETER_DATA},      {"thread=1..8", NULL, SC_PARAMETER_DATA},
               {"n=1..8;threads=1,2,4", NULL, SC_PARAMETER_DATA}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sc_workload_words words = {cases[i].sizes, NULL, cases[i].asked};
    sc_workload *w;
    char argument[32];
    snprintf(argument, sizeof argument, "{%.*s}", (int)strcspn(cases[i].sizes, "="), cases[i].sizes);
    char *argv[] = {"p", argument, strchr(cases[i].sizes, ';') ? "{threads}" : NULL, NULL};
    assert_int_equal(sc_workload_from_command(&words, argv, &w), 0);
    assert_int_equal(w->kind, cases[i].kind);
    if (w->other_count)
      assert_int_equal(w->others[0].kind, SC_PARAMETER_THREADS);
    sc_workload_free(w);
  }
}

TEST(test_bad_command_line)
{
  char *argv[] = {"p", "{n}", NULL}, *fixed[] = {"p", "7", NULL}, *none[] = {NULL};
  sc_workload *w;
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"100..200", NULL}, argv, &w), SC_E_USAGE);
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=100..200", NULL}, none, &w), SC_E_USAGE);
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=100..200", NULL}, fixed, &w), SC_E_USAGE);
  assert_non_null(strstr(sc_err_message(), "{n}"));
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=200..100", NULL}, argv, &w), SC_E_INPUT);
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=0..100", NULL}, argv, &w), SC_E_INPUT);
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=1..100", "soon"}, argv, &w), SC_E_INPUT);
}

TEST(test_hash_ignores_what_does_not_matter)
{
  static const char *const same =
      "<workload name=\"v\"><title>Other</title>\n<parameter name=\"n\" kind=\"work\"><range low=\"1\" "
      "high=\"9\"/><targets>99</targets></parameter><repeats>4</repeats>" COMMAND "<task function=\"serve\"/>"
      "<budgets><budget metric=\"time\" n=\"9\" limit=\"1s\"/></budgets>" TAIL;
  sc_workload *a = parse(HEAD COMMAND TAIL), *b = parse(same);
  sc_workload *c = parse(HEAD "<command><arg>./prog</arg><arg>{n}0</arg></command>" TAIL);
  char one[17], two[17], three[17];
  assert_int_equal(sc_workload_hash(a, one) + sc_workload_hash(b, two) + sc_workload_hash(c, three), 0);
  assert_string_equal(one, two);
  assert_string_not_equal(one, three);
  sc_workload_free(a);
  sc_workload_free(b);
  sc_workload_free(c);
}

TEST(test_family_decides_counts)
{
  sc_workload *a = parse(HEAD "<generate file=\"f\" family='\"a\" * n'/>" COMMAND TAIL);
  sc_workload *b = parse(HEAD "<generate file=\"f\" family='\"b\" * n'/>" COMMAND TAIL);
  char one[17], two[17];
  assert_string_equal(a->generators[0].family, "\"a\" * n");
  assert_int_equal(a->generators[0].part_count, 0);
  assert_int_equal(sc_workload_hash(a, one) + sc_workload_hash(b, two), 0);
  assert_string_not_equal(one, two);
  sc_workload_free(a);
  sc_workload_free(b);
}

TEST(test_sizes)
{
  static const struct {
    const char *text;
    double value;
  } good[] = {{"100", 100},  {"1e6", 1e6}, {"1,000,000", 1e6}, {"1_500", 1500}, {"64k", 64000}, {"2M", 2e6},
              {"1Ki", 1024}, {" 7 ", 7},   {"0.5", 0.5},       {"1.5k", 1500},  {"1E+3", 1000}, {"12'000", 12000}};
  static const char *const bad[] = {"",    "x",    "-1",   "0",     "1e",   "1k2", "inf",
                                    "nan", "0x10", "1,00", "1e400", "1..2", "k",   "100,200k"};
  double value;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_int_equal(sc_workload_parse_size(good[i].text, &value), 0);
    assert_true(value == good[i].value);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (sc_workload_parse_size(bad[i], &value) != SC_E_INPUT)
      fail_msg("\"%s\" was taken for %g", bad[i], value);
}

TEST(test_times)
{
  static const struct {
    const char *text;
    double value;
  } good[] = {{"200ms", 0.2}, {"2s", 2}, {"2", 2}, {"5min", 300}, {"1 h", 3600}, {"10us", 1e-5}};
  double value;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_int_equal(sc_workload_parse_time(good[i].text, &value), 0);
    assert_true(value > good[i].value * 0.999999 && value < good[i].value * 1.000001);
  }
  assert_int_equal(sc_workload_parse_time("0s", &value), SC_E_INPUT);
  assert_int_equal(sc_workload_parse_time("-1s", &value), SC_E_INPUT);
  assert_int_equal(sc_workload_parse_time("2 parsecs", &value), SC_E_INPUT);
}

static void expect_sizes(const char *text, size_t count, const double *expected)
{
  double *sizes;
  size_t got;
  assert_int_equal(sc_workload_parse_sizes(text, &sizes, &got), 0);
  assert_int_equal(got, count);
  for (size_t i = 0; i < count; i++)
    assert_true(sizes[i] == expected[i]);
  free(sizes);
}

TEST(test_size_lists)
{
  expect_sizes("100,200,400", 3, (double[]){100, 200, 400});
  expect_sizes("1,000,000", 1, (double[]){1e6});
  expect_sizes("1,500,000 2k", 2, (double[]){1.5e6, 2000});
  expect_sizes("1e6,2e6;3", 3, (double[]){1e6, 2e6, 3});
  double *sizes;
  size_t count;
  assert_int_equal(sc_workload_parse_sizes(" , ", &sizes, &count), SC_E_INPUT);
  assert_null(sizes);
  assert_int_equal(sc_workload_parse_sizes("1 2 x", &sizes, &count), SC_E_INPUT);
  char many[50000] = "";
  for (size_t i = 0; i < 10000; i++)
    memcpy(many + 4 * i, "100 ", 5);
  assert_int_equal(sc_workload_parse_sizes(many, &sizes, &count), SC_E_INPUT);
  assert_non_null(strstr(sc_err_message(), "more than"));
}
