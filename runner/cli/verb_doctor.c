/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run doctor: what this machine lacks. */
#include "runner/cli/doctor.h"
#include "runner/cli/verb.h"
#include "runner/report/json.h"
#include "runner/text/format.h"
#include "runner/text/terminal.h"

enum { NAME_COLUMN = 11, DETAIL_COLUMN = 30 };

static void print_doctor_text(const sc_doctor *doctor)
{
  sc_style style = sc_terminal_style(stdout);
  int width = sc_terminal_width(stdout);
  for (size_t i = 0; i < doctor->count; i++) {
    const sc_doctor_check *check = &doctor->checks[i];
    const char *colour = check->state == SC_DOCTOR_OK        ? ""
                         : check->state == SC_DOCTOR_LIMITED ? style.yellow
                                                             : style.red;
    printf("  %s%-*s%s%-*s", colour, NAME_COLUMN - 2, sc_doctor_state_name(check->state), *colour ? style.off : "",
           DETAIL_COLUMN - NAME_COLUMN, check->name);
    sc_format_wrap(stdout, check->detail, DETAIL_COLUMN, DETAIL_COLUMN, width);
    if (*check->hint) {
      printf("%*s", DETAIL_COLUMN, "");
      printf("hint: ");
      sc_format_wrap(stdout, check->hint, DETAIL_COLUMN + 6, DETAIL_COLUMN + 6, width);
    }
  }
  puts(sc_doctor_usable(doctor) ? "\nscale-run can be used here.\n\nNext: scale-cc -O2 -o prog prog.c && scale-run run "
                                  "-P n=100..6400 -- ./prog {n}"
                                : "\nscale-run cannot be used here until what is missing is there.");
}

static int print_doctor_json(const sc_doctor *doctor)
{
  sc_json json = {0};
  cJSON *document = cJSON_CreateObject();
  sc_json_number(&json, document, "schema_version", SC_REPORT_JSON_VERSION);
  sc_json_string(&json, document, "document", "doctor");
  sc_json_bool(&json, document, "usable", sc_doctor_usable(doctor));
  cJSON *list = sc_json_array(&json, document, "checks");
  for (size_t i = 0; i < doctor->count; i++) {
    const sc_doctor_check *check = &doctor->checks[i];
    cJSON *item = sc_json_object(&json, list, NULL);
    sc_json_string(&json, item, "name", check->name);
    sc_json_string(&json, item, "state", sc_doctor_state_name(check->state));
    sc_json_string(&json, item, "detail", check->detail);
    sc_json_string(&json, item, "hint", check->hint);
  }
  return sc_json_write(stdout, document, &json, 0);
}

int sc_verb_doctor(const sc_options *options)
{
  sc_doctor doctor;
  SC_TRY(sc_doctor_examine(&doctor));
  if (options->json)
    SC_TRY(print_doctor_json(&doctor));
  else
    print_doctor_text(&doctor);
  return sc_doctor_usable(&doctor) ? 0 : sc_err_status(SC_E_UNSUPPORTED);
}
