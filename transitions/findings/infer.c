/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TransInfer (delta-infer, algorithm 2) on the graph of all runs. One pass from parents to children, with two notes
 * a context: the model that what is inside is compared with (`base`), and the transition that carries its cost
 * (`owner`). */
#include "transitions/findings/infer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/findings/conditions.h"
#include "transitions/findings/recursion.h"
#include "transitions/model/tuning.h"

typedef struct inference {
  const sc_analysis *analysis;
  sc_transitions *out;
  uint32_t *base; /* [contexts] the model whose order a child's is compared with; SC_NONE: constant */
  bool *vague;    /* [contexts] the order is unknown here: base is that of an ancestor */
  sc_conditions *conditions;
} inference;

const sc_order *sc_infer_order(const sc_analysis *analysis, uint32_t model)
{
  static const sc_order constant;
  return model == SC_NONE ? &constant : &analysis->models[model].order;
}

static const sc_order *transition_base_of(const inference *in, uint32_t context)
{
  return sc_infer_order(in->analysis, in->base[context]);
}

static const sc_order *order_to(const inference *in, uint32_t transition)
{
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): who names a transition has seen one */
  return sc_infer_order(in->analysis, in->out->list[transition].to);
}

static const sc_location *transition_at(const inference *in, uint32_t context)
{
  return sc_graph_at(in->analysis->graph, context);
}

bool sc_infer_is_tiny(const sc_analysis *a, uint32_t context)
{
  const double *values = sc_analysis_values(a, context);
  double most = 0;
  for (size_t i = 0; i < a->run_count; i++)
    most = fmax(most, values[i]);
  return sc_analysis_executions(a, context, most) <= SC_INFER_TINY;
}

/* A recursive function that foreign code calls back again and again without going deeper is no growing recursion. */
static bool transition_recurses(const inference *in, uint32_t context, bool called_back)
{
  double first = sc_recursion_depth(in->analysis, context, false),
         last = sc_recursion_depth(in->analysis, context, true);
  if (!transition_at(in, context)->recursive && last <= 1)
    return false;
  if (called_back)
    return last > 2 && last >= 2 * first;
  return last == 0 || last > 1;
}

static enum sc_finding_kind kind_of(const inference *in, uint32_t context)
{
  enum sc_location_kind above = transition_at(in, sc_graph_parent(in->analysis->graph, context))->kind;
  if (transition_at(in, context)->kind == SC_LOCATION_LOOP)
    return SC_FINDING_LOOP;
  if (transition_at(in, context)->kind == SC_LOCATION_WORK)
    return SC_FINDING_WORK;
  return transition_recurses(in, context, above == SC_LOCATION_FOREIGN || above == SC_LOCATION_PROCESS)
             ? SC_FINDING_RECURSION
             : SC_FINDING_IMPLICIT;
}

/* Executions for each one of the nearest counted ancestor, at the largest size. */
static double entry_ratio(const sc_analysis *a, uint32_t context)
{
  uint32_t above = sc_analysis_counted_ancestor(a, context);
  double own = sc_analysis_values(a, context)[a->run_count - 1];
  double other = above && a->series[above] != SC_NONE ? sc_analysis_values(a, above)[a->run_count - 1] : 1;
  return other > 0 ? own / other : own;
}

/* Whether an execution of what is around has more work at the largest size than at the smallest. */
static bool works_more_each(const sc_analysis *a, uint32_t context)
{
  uint32_t above = sc_analysis_counted_ancestor(a, context);
  const double *own = sc_analysis_values(a, context);
  const double *around = above && a->series[above] != SC_NONE ? sc_analysis_values(a, above) : NULL;
  size_t last = a->run_count - 1;
  return !around || own[last] * around[0] >= SC_INFER_MORE * own[0] * around[last];
}

/* Whether a rise at this context may be called a transition, or is only an artefact of where it is seen. */
static bool transition_admissible(const inference *in, uint32_t context, uint32_t parent, enum sc_finding_kind kind)
{
  if (transition_at(in, parent)->kind == SC_LOCATION_TRUNCATED)
    return false; /* its callers are unknown */
  if (kind == SC_FINDING_LOOP)
    return true;
  if (in->vague[parent]) /* the loop it stands in may be what grows */
    return kind == SC_FINDING_WORK && works_more_each(in->analysis, context);
  if (kind == SC_FINDING_IMPLICIT && sc_analysis_counted(in->analysis, parent))
    return entry_ratio(in->analysis, context) >= SC_INFER_EACH &&
           sc_conditions_find(in->conditions, context, parent) == SC_NONE;
  return true;
}

/* Stands behind the transitions around it in the list, as parents are visited first. */
static int add_transition(inference *in, uint32_t context, uint32_t parent, enum sc_rise rise)
{
  sc_transitions *out = in->out;
  SC_TRY(sc_mem_grow(&out->list, &out->capacity, out->count + 1, sizeof *out->list));
  out->list[out->count] = (sc_transition){.context = context,
                                          .parent = parent,
                                          .outer = out->owner[parent],
                                          .from = in->base[parent],
                                          .to = in->analysis->series[context],
                                          .rise = (unsigned char)rise,
                                          .kind = (unsigned char)kind_of(in, context)};
  out->owner[context] = (uint32_t)out->count++;
  return 0;
}

/* The innermost transition around that the context grows as fast as: what is executed less often is not carried. */
static uint32_t transition_carrier(const inference *in, uint32_t owner, const sc_order *order)
{
  enum sc_fit_engine engine = in->analysis->options.fit.engine;
  while (owner != SC_NONE && !sc_order_carried(order, order_to(in, owner), engine))
    owner = in->out->list[owner].outer;
  return owner;
}

/* A superlinear rise that slower growth may explain as well. Its order is as good as unknown. */
static int visit_doubtful(inference *in, uint32_t context, uint32_t parent, enum sc_rise rise)
{
  bool listed = transition_admissible(in, context, parent, kind_of(in, context));
  in->base[context] = in->base[parent];
  in->vague[context] = true;
  in->out->owner[context] = SC_NONE;
  if (!listed)
    return 0;
  SC_TRY(add_transition(in, context, parent, rise));
  in->out->list[in->out->count - 1].doubtful = true;
  in->out->owner[context] = SC_NONE;
  return 0;
}

/* The loop is the source. It stands inside the function whose calls it makes, so that the function's cost, and that of
 * everything in it that grows as fast, is the loop's. */
static int add_called_from_loop(inference *in, uint32_t context, uint32_t parent, uint32_t loop, enum sc_rise rise)
{
  SC_TRY(add_transition(in, context, parent, rise));
  sc_transition *added = &in->out->list[in->out->count - 1];
  added->context = loop;
  added->parent = sc_graph_parent(in->analysis->graph, loop);
  added->to = in->analysis->series[loop];
  added->kind = SC_FINDING_LOOP;
  return 0;
}

static int add_rise(inference *in, uint32_t context, uint32_t parent, enum sc_rise rise)
{
  uint32_t loop = SC_NONE;
  if (kind_of(in, context) == SC_FINDING_RECURSION)
    loop = sc_recursion_loop(in->analysis, context, transition_base_of(in, parent));
  in->base[context] = in->analysis->series[context];
  return loop == SC_NONE ? add_transition(in, context, parent, rise)
                         : add_called_from_loop(in, context, parent, loop, rise);
}

/* The loop over the items of blocks, where the loop over the blocks is the transition. */
static bool works_in_blocks(const inference *in, uint32_t context, uint32_t owner)
{
  const sc_analysis *a = in->analysis;
  const sc_transition *blocks = owner == SC_NONE ? NULL : &in->out->list[owner];
  size_t last = a->run_count - 1;
  if (!blocks || blocks->kind != SC_FINDING_LOOP || transition_at(in, context)->kind != SC_LOCATION_LOOP ||
      blocks->of_cost || sc_order_superlinear(order_to(in, owner)) || a->options.fit.engine == SC_FIT_DELTA_INFER)
    return false;
  double outer = sc_analysis_values(a, blocks->context)[last], inner = sc_analysis_values(a, context)[last];
  return outer * SC_INFER_BLOCK <= a->sizes[last] && inner >= outer * SC_INFER_BLOCK;
}

/* What is executed around work that grows no faster: a growing array copies itself seldom, and much each time, but in
 * all no more than the loop around it appends. SC_NONE: nothing is, or it is no work. */
static uint32_t find_appending(const inference *in, uint32_t context, uint32_t parent)
{
  const sc_analysis *a = in->analysis;
  const sc_order *order = &sc_analysis_model(a, context)->order;
  if (transition_at(in, context)->kind != SC_LOCATION_WORK)
    return SC_NONE;
  for (uint32_t up = parent; up; up = sc_graph_parent(a->graph, up))
    if (sc_analysis_has(a, up) && sc_analysis_known(a, up) &&
        sc_order_carried(&sc_analysis_model(a, up)->order, order, a->options.fit.engine))
      return up;
  return SC_NONE;
}

/* The heart of the paper (delta-infer 2): a context is held against the lowest order since the last transition above
 * it. What is added: conditions, loops in blocks, and rises that the data do not support enough (undecided, not
 * findings). */
static int visit_known(inference *in, uint32_t context, uint32_t parent)
{
  const sc_model *model = sc_analysis_model(in->analysis, context);
  enum sc_fit_engine engine = in->analysis->options.fit.engine;
  uint32_t appending = find_appending(in, context, parent);
  enum sc_rise rise =
      appending == SC_NONE ? sc_order_rise(transition_base_of(in, parent), model, engine) : SC_RISE_NONE;
  uint32_t around = appending == SC_NONE ? parent : appending; /* between the two may be what is executed seldom */
  in->vague[context] = false;
  in->out->owner[context] = transition_carrier(in, in->out->owner[around], &model->order);
  if (rise != SC_RISE_NONE && engine != SC_FIT_DELTA_INFER && sc_infer_is_tiny(in->analysis, context)) {
    in->base[context] = in->base[parent]; /* no rise: what rises inside is compared with what is around */
    in->out->owner[context] = in->out->owner[parent];
    return 0;
  }
  if (rise == SC_RISE_ORDER && !sc_order_supported(model))
    return visit_doubtful(in, context, parent, rise);
  if (rise != SC_RISE_NONE && transition_admissible(in, context, parent, kind_of(in, context)))
    return add_rise(in, context, parent, rise);
  if (rise == SC_RISE_NONE && works_in_blocks(in, context, in->out->owner[context])) {
    sc_transition blocks = in->out->list[in->out->owner[context]];
    SC_TRY(add_rise(in, context, parent, SC_RISE_ORDER));
    in->out->list[in->out->count - 1].from = blocks.from; /* the blocks are on the way there */
    in->out->list[in->out->count - 1].parent = blocks.parent;
    return 0;
  }
  if (rise != SC_RISE_NONE && transition_at(in, context)->kind == SC_LOCATION_FUNCTION) {
    uint32_t loop = sc_conditions_find(in->conditions, context, parent);
    if (loop < context) /* seen already; SC_NONE is larger than any */
      in->out->owner[context] = in->out->owner[loop];
  }
  /* Small rises add up: a child is compared with the lowest order since the last transition. Where a rise was seen but
   * not admitted, nothing inside is to be blamed for it. */
  if (rise != SC_RISE_NONE || engine == SC_FIT_DELTA_INFER ||
      sc_model_compare_order(&model->order, transition_base_of(in, parent)) < 0)
    in->base[context] = in->analysis->series[context];
  else
    in->base[context] = in->base[parent];
  return 0;
}

/* What a context is compared with. Work that is a part of what a call of a library does is that call's, unless
 * a transition between the two was found: functions whose own counts are unsure are not to blame for it. */
static uint32_t find_around(const inference *in, uint32_t context)
{
  const sc_graph *graph = in->analysis->graph;
  uint32_t parent = sc_graph_parent(graph, context), owner = in->out->owner[parent];
  if (transition_at(in, context)->kind != SC_LOCATION_WORK || sc_analysis_sum(in->analysis, context) == SC_NONE)
    return parent;
  uint32_t call = sc_graph_library_call(graph, context);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): an owner is in the list */
  return !call || (owner != SC_NONE && sc_graph_within(graph, in->out->list[owner].context, call)) ? parent : call;
}

/* A parent's number is smaller than its children's, so that one pass over the numbers sees every parent first. */
static int visit_transition(inference *in, uint32_t context)
{
  const sc_analysis *a = in->analysis;
  uint32_t parent = find_around(in, context);
  in->out->owner[context] = SC_NONE;
  in->base[context] = SC_NONE;
  if (a->scope[context] == SC_SCOPE_OUT)
    return 0;
  if (a->scope[context] == SC_SCOPE_TOP || context == 0) {
    in->vague[context] = sc_analysis_counted(a, context) && !sc_analysis_known(a, context);
    if (sc_analysis_known(a, context))
      in->base[context] = a->series[context];
    return 0;
  }
  if (sc_analysis_known(a, context))
    return visit_known(in, context, parent);
  in->base[context] = in->base[parent];
  in->vague[context] = in->vague[parent] || sc_analysis_counted(a, context);
  in->out->owner[context] = in->out->owner[parent];
  return 0;
}

/* A foreign function's own cost grows with the calls it makes, so that it belongs to what they belong to. */
static void claim_foreign(inference *in)
{
  const sc_analysis *a = in->analysis;
  for (uint32_t c = 0; c < a->contexts; c++) {
    if (a->scope[c] == SC_SCOPE_OUT || transition_at(in, c)->kind != SC_LOCATION_FOREIGN)
      continue;
    double most = 0;
    for (uint32_t i = sc_graph_first_child(a->graph, c); i; i = sc_graph_next_sibling(a->graph, i)) {
      double count =
          a->series[i] == SC_NONE ? 0 : sc_analysis_executions(a, i, sc_analysis_values(a, i)[a->run_count - 1]);
      if (count > most) {
        most = count;
        in->out->owner[c] = in->out->owner[i];
      }
    }
  }
}

/* The work of the same call of the library, which goes over as much as the callback is called, or more; or SC_NONE.
 * Calls of one function in one place have one callback: the one that works most. */
static uint32_t work_of_call(const inference *in, const sc_transition *callback)
{
  const sc_graph *graph = in->analysis->graph;
  const sc_transitions *all = in->out;
  if (transition_at(in, callback->parent)->kind != SC_LOCATION_FOREIGN || callback->of_cost)
    return SC_NONE;
  uint32_t found = SC_NONE, work = sc_graph_first_child(graph, sc_graph_parent(graph, callback->parent));
  double most = 0;
  for (; work; work = sc_graph_next_sibling(graph, work)) {
    uint32_t t = all->owner[work];
    if (t == SC_NONE || all->list[t].context != work || all->list[t].kind != SC_FINDING_WORK ||
        strcmp(transition_at(in, work)->name, transition_at(in, callback->parent)->name) != 0 ||
        !sc_order_carried(order_to(in, t), sc_infer_order(in->analysis, callback->to),
                          in->analysis->options.fit.engine))
      continue;
    double much = sc_analysis_values(in->analysis, work)[in->analysis->run_count - 1];
    found = much > most ? t : found;
    most = fmax(most, much);
  }
  return found;
}

/* The comparisons of a search are what it goes over. */
static void claim_comparisons(inference *in)
{
  sc_transitions *out = in->out;
  for (uint32_t t = 0; t < out->count; t++) {
    uint32_t work = work_of_call(in, &out->list[t]);
    if (work == SC_NONE)
      continue;
    out->list[t].outer = work;
    out->list[t].claimed = true;
  }
}

/* A hidden loop: a context's own cost grows faster than its executions. It carries this cost alone; what the context
 * calls goes on belonging to the transition around. */
static int visit_costs(inference *in)
{
  const sc_analysis *a = in->analysis;
  sc_transitions *out = in->out;
  for (uint32_t c = 0; c < a->contexts; c++) {
    if (a->scope[c] == SC_SCOPE_OUT || !sc_analysis_load(a, c)->growing)
      continue;
    const sc_model *cost = &a->models[sc_analysis_load(a, c)->cost_model];
    bool doubtful = sc_order_superlinear(&cost->order) && cost->exponent_low < SC_ORDER_SUPERLINEAR;
    SC_TRY(sc_mem_grow(&out->list, &out->capacity, out->count + 1, sizeof *out->list));
    out->list[out->count] = (sc_transition){.context = c,
                                            .parent = sc_graph_parent(a->graph, c),
                                            .outer = out->owner[c],
                                            .from = a->series[c],
                                            .to = sc_analysis_load(a, c)->cost_model,
                                            .doubtful = doubtful,
                                            .rise = SC_RISE_ORDER,
                                            .kind = SC_FINDING_IMPLICIT,
                                            .of_cost = true};
    out->owner[c] = doubtful ? SC_NONE : (uint32_t)out->count;
    out->count++;
  }
  return 0;
}

int sc_infer_transitions(const sc_analysis *analysis, sc_transitions *out)
{
  int err = SC_E_NOMEM;
  inference in = {.analysis = analysis, .out = out};
  *out = (sc_transitions){0};
  out->owner = sc_mem_new(analysis->contexts, sizeof *out->owner);
  in.base = sc_mem_new(analysis->contexts, sizeof *in.base);
  in.vague = sc_mem_new(analysis->contexts, sizeof *in.vague);
  in.conditions = sc_conditions_new(analysis);
  if (!out->owner || !in.base || !in.vague || !in.conditions)
    goto out;
  for (uint32_t c = 0; c < analysis->contexts; c++)
    SC_GOTO(visit_transition(&in, c));
  claim_foreign(&in);
  claim_comparisons(&in);
  err = visit_costs(&in);
out:
  free(in.base);
  free(in.vague);
  sc_conditions_free(in.conditions);
  if (err < 0)
    sc_infer_free(out);
  return err;
}

void sc_infer_free(sc_transitions *transitions)
{
  free(transitions->list);
  free(transitions->owner);
  *transitions = (sc_transitions){0};
}

void sc_infer_dissolve(sc_transitions *transitions, const sc_analysis *analysis, const bool *dissolved)
{
  for (uint32_t c = 0; c < analysis->contexts; c++)
    while (transitions->owner[c] != SC_NONE && dissolved[transitions->owner[c]])
      transitions->owner[c] = transitions->list[transitions->owner[c]].outer;
}
