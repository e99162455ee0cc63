/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of one parameter that a surface is where the others have fixed values: terms with the same function of that
 * parameter are added up, and their covariance with them. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/surface/internal.h"

typedef struct cut {
  const sc_surface *surface;
  const double *at;
  size_t along;
} cut;

/* A form's terms by their functions of the parameter, and what each of the form's terms adds to which. */
typedef struct merged {
  sc_term terms[SC_SURFACE_TERMS];
  double size[SC_SURFACE_TERMS]; /* sum of the absolute values that were added */
  size_t count, into[SC_SURFACE_TERMS];
  double factor[SC_SURFACE_TERMS]; /* of the form's term, by the other parameters */
} merged;

static merged merge_slice(const cut *c, const sc_surface_form *form)
{
  merged m = {0};
  for (size_t i = 0; i < form->term_count; i++) {
    sc_surface_term rest = form->terms[i];
    sc_term factor = rest.factor[c->along];
    size_t k = 0;
    rest.factor[c->along] = (sc_term){0};
    m.factor[i] = sc_surface_term_value(&rest, c->surface->parameters, c->at);
    while (k < m.count && !sc_surface_same_factor(&m.terms[k], &factor))
      k++;
    if (k == m.count) {
      m.terms[m.count] = factor;
      m.terms[m.count++].coefficient = 0;
    }
    m.into[i] = k;
    m.terms[k].coefficient += rest.coefficient * m.factor[i];
    m.size[k] += fabs(rest.coefficient * m.factor[i]);
  }
  for (size_t k = 0; k < m.count; k++)
    if (fabs(m.terms[k].coefficient) <= SC_SURFACE_ROUNDING * m.size[k])
      m.terms[k].coefficient = 0;
  return m;
}

/* A model has fewer terms than a surface may have functions: those go that make least at the largest value measured.
 * Returns the largest share that they make at either end of the range. */
static double drop_least(const cut *c, merged *m)
{
  double low = c->surface->low[c->along], high = c->surface->high[c->along], lost = 0;
  for (;;) {
    size_t least = 0, left = 0;
    double below = 0, above = 0;
    for (size_t k = 0; k < m->count; k++) {
      const sc_term *term = &m->terms[k];
      if (term->coefficient == 0)
        continue;
      below += term->coefficient * sc_term_basis(term, low);
      above += term->coefficient * sc_term_basis(term, high);
      if (!left++ || fabs(term->coefficient) * sc_term_basis(term, high) <
                         fabs(m->terms[least].coefficient) * sc_term_basis(&m->terms[least], high))
        least = k;
    }
    if (left <= SC_MODEL_TERMS)
      return lost;
    double away = m->terms[least].coefficient;
    lost += fmax(fabs(away * sc_term_basis(&m->terms[least], low) / below),
                 fabs(away * sc_term_basis(&m->terms[least], high) / above));
    m->terms[least].coefficient = 0;
  }
}

/* Leading term first; map[new] = index in m->terms. Returns how many are left. */
static size_t take_terms(const merged *m, sc_term *terms, size_t *map)
{
  sc_term kept[SC_MODEL_TERMS];
  size_t from[SC_MODEL_TERMS], count = 0;
  for (size_t k = 0; k < m->count; k++)
    if (m->terms[k].coefficient != 0) {
      from[count] = k;
      kept[count++] = m->terms[k];
    }
  size_t sorted[SC_MODEL_TERMS];
  count = sc_term_sort(kept, count, sorted);
  for (size_t i = 0; i < count; i++) {
    terms[i] = kept[i];
    map[i] = from[sorted[i]];
  }
  return count;
}

static void take_covariance(const sc_surface_form *form, const merged *m, const size_t *map, sc_model *model)
{
  for (size_t a = 0; a < model->term_count; a++)
    for (size_t b = 0; b < model->term_count; b++)
      for (size_t i = 0; i < form->term_count; i++)
        for (size_t j = 0; j < form->term_count; j++)
          if (m->into[i] == map[a] && m->into[j] == map[b])
            model->covariance[a][b] += m->factor[i] * m->factor[j] * form->covariance[i][j];
}

/* What the other parameters' drifts make of the value is the same for every value of this one. */
static double others_drift(const cut *c, const sc_surface_form *form)
{
  double square = 0;
  for (size_t p = 0; p < c->surface->parameters; p++)
    if (p != c->along && form->drift[p] > 0) {
      double drift = form->drift[p] * log(c->at[p] / c->surface->center[p]);
      square += drift * drift;
    }
  return square;
}

static double deviation_at(const cut *c, const sc_surface_form *form, double times)
{
  double at[SC_SURFACE_PARAMETERS];
  for (size_t p = 0; p < c->surface->parameters; p++)
    at[p] = p == c->along ? times * c->surface->high[p] : c->at[p];
  double value = fmax(0, sc_surface_sum(form->terms, form->term_count, c->surface->parameters, at));
  return value > 0 ? sc_surface_standard_error(c->surface, form, at, value) / value : 0;
}

static void add_slice_rival(const cut *c, const sc_surface_form *form, sc_model *model)
{
  merged m = merge_slice(c, form);
  size_t map[SC_MODEL_TERMS];
  sc_rival *rival = &model->rivals[model->rival_count++];
  *rival = (sc_rival){.error = form->error, .weight = c->surface->ambiguous ? 1 : form->weight};
  (void)drop_least(c, &m);
  rival->term_count = take_terms(&m, rival->terms, map);
  rival->deviation[0] = deviation_at(c, form, SC_RIVAL_NEAR);
  rival->deviation[1] = deviation_at(c, form, SC_RIVAL_FAR);
  sc_order order = sc_term_order(rival->terms, rival->term_count);
  if (rival->weight >= SC_MODEL_PLAUSIBLE)
    model->exponent_low = fmin(model->exponent_low, order.exponent);
}

static void describe_slice(const cut *c, sc_model *model)
{
  const sc_surface *s = c->surface;
  double top[SC_SURFACE_PARAMETERS];
  for (size_t p = 0; p < s->parameters; p++)
    top[p] = p == c->along ? s->high[p] : c->at[p];
  model->r2 = s->r2;
  model->error = s->error;
  model->fit_error = s->fit_error;
  model->exact = s->exact;
  model->points = s->points;
  model->n_min = s->low[c->along];
  model->n_max = s->high[c->along];
  model->y_max = sc_surface_value(s, top);
}

/* The model is one of another parameter: here it is a constant, as sure as that model is there. */
static int take_constant(const cut *c, sc_model *model)
{
  const sc_model *line = &c->surface->line;
  sc_interval there;
  SC_TRY(sc_model_predict(line, c->at[c->surface->along], 0.95, &there));
  model->degrees = line->degrees ? line->degrees : 1;
  double farther = fmax(there.high - there.value, there.value - there.low);
  double half = farther / gsl_cdf_tdist_Pinv(0.975, (double)model->degrees);
  model->terms[0] = (sc_term){.coefficient = there.value};
  model->term_count = there.value > 0;
  model->covariance[0][0] = half * half;
  if (!isfinite(half))
    model->verdict = SC_VERDICT_CANNOT_TELL;
  if (!isfinite(half))
    snprintf(model->why, sizeof model->why, "it has no upper end there");
  return 0;
}

static void take_form(const cut *c, sc_model *model)
{
  const sc_surface_form *form = &c->surface->form;
  merged m = merge_slice(c, form);
  size_t map[SC_MODEL_TERMS];
  double lost = drop_least(c, &m);
  model->exact = model->exact && lost == 0;
  model->term_count = take_terms(&m, model->terms, map);
  take_covariance(form, &m, map, model);
  model->order = sc_term_order(model->terms, model->term_count);
  model->exponent_low = model->order.exponent;
  model->degrees = form->degrees ? form->degrees : 1;
  model->sigma = form->sigma;
  model->scatter = sqrt(form->scatter * form->scatter + lost * lost + others_drift(c, form));
  model->drift = form->drift[c->along];
  model->n_center = model->drift > 0 ? c->surface->center[c->along] : 0;
  for (size_t i = 0; i < c->surface->rival_count && !model->exact && model->rival_count < SC_MODEL_RIVALS; i++)
    add_slice_rival(c, &c->surface->rivals[i], model);
}

int sc_surface_slice(const sc_surface *surface, const double *at, size_t along, sc_model *model)
{
  const cut c = {surface, at, along};
  bool known = surface->verdict == SC_VERDICT_MODEL || surface->ambiguous;
  *model = (sc_model){.verdict = SC_VERDICT_MODEL};
  for (size_t p = 0; p < surface->parameters; p++)
    known = known && (!surface->fixed[p] || (p != along && at[p] == surface->low[p]));
  if (known && surface->along == (int)along) {
    *model = surface->line;
    return 0;
  }
  describe_slice(&c, model);
  if (known && surface->along >= 0)
    return take_constant(&c, model);
  if (surface->along < 0)
    take_form(&c, model);
  if (known)
    return 0;
  model->verdict = SC_VERDICT_CANNOT_TELL;
  model->exact = false;
  snprintf(model->why, sizeof model->why, "%s", surface->why);
  return 0;
}
