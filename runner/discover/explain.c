/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/discover/explain.h"

#include <string.h>

#include "runner/discover/llm.h"
#include "runner/discover/score.h"
#include "runner/text/format.h"

const char *sc_explain_mechanism(enum sc_mechanism_kind kind)
{
  static const char *const words[] = {"free list", "queue",   "references", "list",    "array", "objects",
                                      "container", "counter", "buffer",     "members", "lock"};
  return words[kind];
}

const char *sc_explain_class(enum sc_mechanism_kind kind)
{
  static const char *const words[] = {"pool",  "queue", "cache",  "other", "other", "pool",
                                      "other", "other", "memory", "pool",  "lock"};
  return words[kind];
}

const char *sc_explain_role(enum sc_role role)
{
  static const char *const words[] = {"acquire", "release", "wait"};
  return words[role];
}

static const char *type_text(const sc_discovery *d, const char *type)
{
  const sc_facts_type *known = sc_facts_type_of(&d->facts, type);
  return known ? known->shown : type;
}

/* A global without the marks of the facts: "free_list", "slabs.c::free_list"; a field with its record as shown. */
static void put_place(const sc_discovery *d, uint32_t place, sc_buf *out)
{
  const sc_facts_place *known = &d->facts.places[place];
  const char *slash = known->record ? NULL : strrchr(known->text, '/');
  if (known->record)
    sc_buf_printf(out, "%s.%s", type_text(d, known->record), known->field);
  else
    sc_buf_puts(out, slash ? slash + 1 : strncmp(known->text, "::", 2) == 0 ? known->text + 2 : known->text);
}

void sc_explain_resource(const sc_discovery *d, const sc_resource *resource, sc_buf *out)
{
  const sc_mechanism *mechanism = &d->mechanisms[resource->mechanism];
  if (*mechanism->type)
    sc_buf_printf(out, "%s: ", type_text(d, mechanism->type));
  sc_buf_puts(out, sc_explain_mechanism(mechanism->kind));
  if (mechanism->place != SC_FACTS_NONE) {
    sc_buf_puts(out, " ");
    put_place(d, mechanism->place, out);
  }
}

void sc_explain_unit(int unit, sc_buf *out)
{
  if (unit == SC_UNIT_RETURN)
    sc_buf_puts(out, "what it returns");
  else if (unit >= SC_UNIT_POINTEE)
    sc_buf_printf(out, "what argument %d points to", unit - SC_UNIT_POINTEE);
  else if (unit >= 0)
    sc_buf_printf(out, "argument %d", unit);
}

void sc_explain_unit_json(sc_json *json, cJSON *object, int unit)
{
  cJSON *item = sc_json_object_if(json, object, "unit", unit != SC_UNIT_NONE);
  if (!item)
    return;
  if (unit == SC_UNIT_RETURN)
    sc_json_bool(json, item, "return", true);
  else
    sc_json_number(json, item, unit < SC_UNIT_POINTEE ? "argument" : "pointee_of", unit % SC_UNIT_POINTEE);
}

void sc_explain_place(const sc_facts_function *function, sc_buf *out)
{
  sc_buf_printf(out, "%s:%u", function->file, function->line);
}

/* ---- reasons ------------------------------------------------------------------------------------------------- */

/* What it does to a place, with %s for it. */
static const char *place_sentence(enum sc_seen shape)
{
  switch (shape) {
  case SC_SEEN_POP:
    return "takes the first of %s";
  case SC_SEEN_PUSH:
    return "puts it in front of %s";
  case SC_SEEN_TAIL:
    return "appends it to %s";
  case SC_SEEN_UNLINK:
    return "takes it out of %s";
  case SC_SEEN_ENTER:
    return "puts it into %s";
  case SC_SEEN_APPEND:
    return "stores it in %s and counts";
  case SC_SEEN_TAKE:
    return "takes the last of %s";
  case SC_SEEN_REF_UP:
    return "counts %s up";
  case SC_SEEN_REF_DOWN:
    return "counts %s down, disposes at zero";
  case SC_SEEN_COUNT_UP:
    return "counts %s up";
  case SC_SEEN_COUNT_DOWN:
    return "counts %s down";
  case SC_SEEN_GAUGE:
    return "%s says how many are in use";
  case SC_SEEN_EXCLUDES:
    return "waits for those counted in %s";
  case SC_SEEN_CONTAINER_ADD:
    return "adds it to %s";
  case SC_SEEN_CONTAINER_DELETE:
    return "removes it from %s";
  case SC_SEEN_GROW:
    return "replaces %s by a larger one";
  case SC_SEEN_SHRINK:
    return "gives %s back";
  case SC_SEEN_KEEP:
    return "makes one for %s";
  case SC_SEEN_DROP:
    return "disposes of what is in %s";
  case SC_SEEN_WAIT_BLOCK:
    return "blocks in a loop that reads %s again";
  default:
    return NULL;
  }
}

static const char *function_sentence(enum sc_seen shape)
{
  switch (shape) {
  case SC_SEEN_FORWARD_RESULT:
    return "returns what %s returned";
  case SC_SEEN_FORWARD_CALL:
    return "hands it to %s";
  case SC_SEEN_WAIT_RETRY:
    return "is called by %s, which then tries to acquire again";
  default:
    return "returns new memory";
  }
}

static void put_paired(const sc_discovery *d, const sc_evidence *one, sc_buf *out)
{
  const char *other = d->facts.functions[one->other].shown;
  const char *places = one->times == 1 ? "place" : "places";
  if (one->role == SC_ROLE_ACQUIRE)
    sc_buf_printf(out, "%s gets the result in %u %s", other, one->times, places);
  else
    sc_buf_printf(out, "gets the result of %s in %u %s", other, one->times, places);
}

/* What the evidence is about, for the %s of its sentence. */
static void put_other(const sc_discovery *d, const sc_evidence *one, sc_buf *out)
{
  if (place_sentence(one->shape))
    put_place(d, one->other, out);
  else
    sc_buf_puts(out, d->facts.functions[one->other].shown);
}

static void put_sentence(const sc_discovery *d, const sc_evidence *one, sc_buf *out)
{
  const char *sentence = place_sentence(one->shape) ?: function_sentence(one->shape), *at = strstr(sentence, "%s");
  if (at) {
    sc_buf_add(out, sentence, (size_t)(at - sentence));
    put_other(d, one, out);
  }
  sc_buf_puts(out, at ? at + 2 : sentence);
}

static void put_evidence(const sc_discovery *d, const sc_evidence *one, sc_buf *out)
{
  if (one->shape == SC_SEEN_PAIRED)
    put_paired(d, one, out);
  else if (one->shape == SC_SEEN_SAID)
    sc_buf_printf(out, "a language model: \"%s\"", d->llm->answers[one->other].reason);
  else if (one->shape == SC_SEEN_DISPOSE) {
    sc_buf_puts(out, "frees ");
    sc_explain_unit(one->unit, out);
  } else if (one->shape == SC_SEEN_FRESH_OUT)
    sc_buf_printf(out, "allocates for argument %d", one->unit - SC_UNIT_POINTEE);
  else
    put_sentence(d, one, out);
  if (one->line && one->shape < SC_SEEN_PAIRED && one->shape != SC_SEEN_GAUGE &&
      one->line != d->facts.functions[one->function].line)
    sc_buf_printf(out, " (line %u)", one->line);
}

void sc_explain_event(const sc_discovery *d, const sc_event *event, sc_buf *out)
{
  const sc_name *name = &d->names[event->function];
  const sc_evidence *before = NULL;
  SC_FACTS_EACH (one, d->evidence, event->evidence) {
    if ((before && before->shape == one->shape) || one->shape == SC_SEEN_SAID_NOT)
      continue;
    sc_buf_puts(out, before ? "; " : "");
    put_evidence(d, one, out);
    before = one;
  }
  if (name->word && (name->role == event->role || name->either))
    sc_buf_printf(out, name->learnt ? "; \"%s\" does so elsewhere" : "; named \"%s\"", name->word);
}

void sc_explain_against(const sc_discovery *d, const sc_event *event, sc_buf *out)
{
  const sc_name *name = &d->names[event->function];
  if (name->role < SC_ROLE_COUNT && name->role != event->role)
    sc_buf_printf(out, "its name says %s (\"%s\")", sc_explain_role(name->role), name->word);
  if (sc_score_is_conditional(d, event->evidence))
    sc_buf_printf(out, "%son some paths only", out->length ? "; " : "");
  if (d->facts.functions[event->function].calls.count > SC_DISCOVER_DRIVER_CALLS)
    sc_buf_printf(out, "%scalls %u functions", out->length ? "; " : "",
                  d->facts.functions[event->function].calls.count);
  SC_FACTS_EACH (one, d->evidence, event->evidence)
    if (one->shape == SC_SEEN_SAID_NOT) {
      const sc_llm_answer *answer = &d->llm->answers[one->other];
      sc_buf_printf(out, "%sa language model says %s: \"%s\"", out->length ? "; " : "", sc_answer_word(answer->verdict),
                    answer->reason);
      break;
    }
  if (event->doubt)
    sc_buf_printf(out, "%s%s", out->length ? "; " : "", sc_explain_doubt(event->doubt));
  uint32_t namesake = d->facts.functions[event->function].namesake;
  if (namesake != SC_FACTS_NONE) {
    sc_buf_printf(out, "%sthe function of this name in ", out->length ? "; " : "");
    sc_explain_place(&d->facts.functions[namesake], out);
    sc_buf_puts(out, " is probed, too");
  }
}

void sc_explain_doubts(const sc_discovery *d, const sc_resource *resource, sc_buf *out)
{
  bool acquires = false, releases = false, ran = false;
  SC_FACTS_EACH (event, d->events, resource->events) {
    acquires |= event->role == SC_ROLE_ACQUIRE;
    releases |= event->role == SC_ROLE_RELEASE;
    ran |= event->chosen && event->role == SC_ROLE_RELEASE && d->ran && d->ran[event->function].ran;
  }
  if (!resource->complete)
    sc_buf_puts(out, resource->proposed ? "runs disprove it"
                     : !acquires        ? "nothing that acquires was found"
                     : releases         ? "one function does both"
                                        : "nothing that releases was found");
  else if (ran && !resource->ran)
    sc_buf_puts(out, "nothing ran that acquires it");
  if (resource->uncounted)
    sc_buf_printf(out, "%snot proposed: a call may make or dispose of none or of many", out->length ? "; " : "");
  if (resource->container)
    sc_buf_printf(out, "%sa generic container, which may hold other resources", out->length ? "; " : "");
  const sc_llm_answer *answer;
  if (sc_llm_takes(d, resource, &answer) < 0)
    sc_buf_printf(out, "%sno resource, says a language model: \"%s\"", out->length ? "; " : "", answer->reason);
  if (d->mechanisms[resource->mechanism].local)
    sc_buf_printf(out, "%skept in local variables: it ends with the call that made it", out->length ? "; " : "");
  if (resource->internal)
    sc_buf_printf(out, "%sused in one file alone", out->length ? "; " : "");
}

static void put_rejected_place(const sc_discovery *d, const sc_rejected *rejected, sc_buf *out)
{
  if (rejected->place == SC_FACTS_NONE)
    sc_buf_puts(out, "its objects");
  else
    put_place(d, rejected->place, out);
}

void sc_explain_rejected(const sc_discovery *d, const sc_rejected *rejected, sc_buf *out)
{
  switch (rejected->why) {
  case SC_REJECT_NET_ZERO:
    sc_buf_puts(out, "undoes what it does to ");
    put_rejected_place(d, rejected, out);
    break;
  case SC_REJECT_CURSOR:
    sc_buf_puts(out, "walks along ");
    put_rejected_place(d, rejected, out);
    sc_buf_puts(out, ": a lookup, which takes nothing out");
    break;
  case SC_REJECT_RETURNS:
    sc_buf_puts(out, "may return what it would give back");
    break;
  case SC_REJECT_CONDITIONAL:
    sc_buf_printf(out, "hands its argument to %s on some paths only", d->facts.functions[rejected->other].shown);
    break;
  case SC_REJECT_GETTER:
    sc_buf_puts(out, "its name says that it looks or tells");
    break;
  case SC_REJECT_DRIVER:
    sc_buf_printf(out, "calls %u functions: the event is one of those",
                  d->facts.functions[rejected->function].calls.count);
    break;
  case SC_REJECT_CALLBACK:
    sc_buf_puts(out, "is only called through pointers, which probes do not see");
    break;
  case SC_REJECT_START:
    sc_buf_puts(out, "runs once, from main");
    break;
  case SC_REJECT_UNSEEN:
    sc_buf_printf(out, "a language model says so (\"%s\"), and nothing in the code does",
                  d->llm->answers[rejected->other].reason);
    break;
  case SC_REJECT_ALONE:
    sc_buf_puts(out, rejected->role == SC_ROLE_ACQUIRE ? "nothing was found that gives it back"
                                                       : "nothing was found that obtains it");
    break;
  default:
    sc_explain_disproved(d, rejected, out);
  }
}

size_t sc_explain_shown(const sc_discovery *d, const sc_discover_view *view)
{
  size_t limit = view->limit ? view->limit : view->all ? SIZE_MAX : SC_DISCOVER_LIMIT, count = 0;
  while (count < d->resources_count && count < limit && (view->all || sc_resource_is_shown(&d->resources[count])))
    count++;
  return count;
}

void sc_explain_llm(const sc_discovery *d, sc_buf *out)
{
  const sc_llm *llm = d->llm;
  sc_buf_printf(out, "A language model: of %s %zu are answered", sc_format_plural(llm->asked, "question").s,
                llm->asked - llm->left);
  if (llm->requests)
    sc_buf_printf(out, ", %zu of them now, in %s and %s tokens", llm->answered,
                  sc_format_plural(llm->requests, "request").s, sc_format_number(llm->tokens).s);
  sc_buf_puts(out, ".");
  if (llm->stale)
    sc_buf_printf(out, " %s of the file %s of code that changed since.", sc_format_plural(llm->stale, "answer").s,
                  llm->stale == 1 ? "is" : "are");
  if (llm->strange)
    sc_buf_printf(out, " Left out, as nobody asked for that: %s.", sc_format_plural(llm->strange, "answer").s);
  if (llm->invalid)
    sc_buf_printf(out, " Left out, as they have another form: %s.", sc_format_plural(llm->invalid, "answer").s);
  if (llm->unusable)
    sc_buf_printf(out, " Without a usable answer: %s; of the last one: %s.",
                  sc_format_plural(llm->unusable, "request").s, llm->fault.text ? llm->fault.text : "out of memory");
}
