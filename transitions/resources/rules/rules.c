/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all rules, and the walk over it. */
#include "transitions/resources/rules/rules.h"

#include "transitions/resources/groups.h"
#include "transitions/resources/rules/rule.h"

static const sc_resource_rule *const RULES[] = {
    &sc_rule_contention, &sc_rule_pool,   &sc_rule_policy, &sc_rule_allocation,
    &sc_rule_leak,       &sc_rule_growth, &sc_rule_state,
};

static int add_suspect(const sc_resource_rule *rule, sc_resources *r, const sc_resource_cell *cell, sc_groups *suspects)
{
  bool yes;
  double weight;
  SC_TRY(rule->suspect(r, cell, &weight, &yes));
  return yes ? sc_groups_add(suspects, cell, weight) : 0;
}

static int judge_rule(const sc_resource_rule *rule, sc_resources *r)
{
  int err = 0;
  sc_groups suspects = {.r = r};
  size_t count = rule->whole ? r->resource_count : r->cell_count;
  for (size_t i = 0; !err && i < count; i++) {
    const sc_resource_cell *cell = &r->cells[i];
    if (rule->concerns(r, cell))
      err = rule->judge ? rule->judge(r, cell) : add_suspect(rule, r, cell, &suspects);
  }
  if (rule->judge)
    return err;
  int judged = sc_groups_judge(&suspects, r, rule->form, rule->ask);
  return err < 0 ? err : judged;
}

int sc_rules_judge(sc_resources *r)
{
  for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
    if (RULES[i]->elsewhere || !r->place)
      SC_TRY(judge_rule(RULES[i], r));
  return 0;
}
