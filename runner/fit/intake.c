/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/intake.h"

#include "runner/fit/check.h"
#include "runner/fit/words.h"

int sc_intake_fail(sc_intake *intake, int err, size_t line)
{
  return sc_err_prefix(err, "%s:%zu", intake->input->name, line);
}

int sc_intake_fault(sc_intake *intake, int err, size_t line)
{
  err = sc_intake_fail(intake, err, line);
  if (err != SC_E_INPUT)
    return err;
  if (!intake->keep_going)
    return err;
  intake->refused++;
  intake->complain(intake->user, sc_err_message(), sc_err_hint_text());
  return 0;
}

/* Where the unit stands in the metric's name. */
static sc_measurement with_unit(const sc_measurement *measurement)
{
  sc_measurement named = *measurement;
  if (!named.unit.length)
    sc_words_take_unit(&named.metric, &named.unit);
  return named;
}

static int leave_out_series(sc_intake *intake, const sc_measurement *measurement, int err, size_t line)
{
  SC_TRY(sc_intake_fault(intake, err, line));
  sc_measurement named = with_unit(measurement);
  err = sc_store_refuse(intake->store, &named);
  return err == SC_E_INPUT ? 0 : err; /* a series that cannot even begin is not there to be left out */
}

int sc_intake_add(sc_intake *intake, const sc_measurement *measurement, size_t line)
{
  sc_measurement named = with_unit(measurement);
  int err = sc_store_add(intake->store, &named);
  return err < 0 ? leave_out_series(intake, measurement, err, line) : 0;
}

int sc_intake_refuse(sc_intake *intake, const sc_measurement *measurement, int err, size_t line)
{
  sc_check_name name = sc_check_series(measurement->callpath, measurement->metric);
  if (err == SC_E_INPUT)
    err = sc_err_prefix(err, "series %s", name.text);
  return leave_out_series(intake, measurement, err, line);
}
