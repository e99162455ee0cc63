/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "runner/discover/counted.h"
#include "runner/discover/facts.h"
#include "runner/text/tuning.h"

/* What is found in a program's facts, in the order in which it is: who calls whom; which functions return fresh memory
 * or dispose of an argument (flow); evidence, shape by shape; what hands it on (forward); words, callers, scores; and
 * resources. Then what runs showed of all that (measure), and what they disprove (check). */

enum sc_seen {
#define SHAPE(code, weight, why) SC_SEEN_##code,
#include "runner/discover/shapes.def"
#undef SHAPE
  SC_SEEN_COUNT
};

/* How a resource is kept; of two that are the same resource, the first one names it. */
enum sc_mechanism_kind {
  SC_BY_FREE_LIST,
  SC_BY_QUEUE,
  SC_BY_REFERENCES,
  SC_BY_LIST,
  SC_BY_ARRAY,
  SC_BY_ALLOCATOR,
  SC_BY_CONTAINER,
  SC_BY_COUNTER,
  SC_BY_BUFFER,
  SC_BY_OWNER, /* objects that are made for a field, and disposed of from there */
  SC_BY_LOCK   /* two counters: who counts one of them up waits for those who counted the other */
};

/* Which of a function's values is the unit: an argument's number, or one of these. */
enum { SC_UNIT_RETURN = -1, SC_UNIT_NONE = -2, SC_UNIT_POINTEE = 64 /* + argument: what it points to */ };

typedef struct sc_mechanism {
  enum sc_mechanism_kind kind;
  uint32_t place;   /* of the head, counter, container or buffer; SC_FACTS_NONE of an allocator */
  const char *type; /* of a unit, interned; "" if unknown */
  uint32_t parent;  /* the one that it is the same resource as; itself */
  bool turned;      /* what counts up releases: a count of what is left */
  bool local;       /* a list that callers keep in local variables */
  bool shared;      /* the counter of a lock's readers */
} sc_mechanism;

/* One reason to take a function for an event of a mechanism. */
typedef struct sc_evidence {
  uint32_t function, mechanism;
  enum sc_role role;
  enum sc_seen shape;
  int unit;
  uint32_t line;
  uint32_t other; /* FORWARD_*, WAIT_*: the function that is called; PAIRED: the other one of the pair; SAID*: the
                     answer; else the place's */
  uint32_t times; /* PAIRED; KEEP, DROP: 1 where a call is one of them, else 0 */
  unsigned layer; /* 0: it does so itself; 1: through a function that does; ... */
  bool conditional;
} sc_evidence;

enum sc_rejection {
  SC_REJECT_NONE,
  SC_REJECT_NET_ZERO,
  SC_REJECT_CURSOR,
  SC_REJECT_RETURNS,
  SC_REJECT_CONDITIONAL,
  SC_REJECT_GETTER,
  SC_REJECT_DRIVER,
  SC_REJECT_CALLBACK,
  SC_REJECT_START,
  SC_REJECT_ALONE,
  SC_REJECT_UNSEEN, /* a language model says so, and nothing in the code does */
  /* by runs: */
  SC_REJECT_CONSTANT,
  SC_REJECT_TRACE,
  SC_REJECT_STRANGERS,
  SC_REJECT_KEPT,
  SC_REJECT_NO_DELAY,
  SC_REJECT_NO_RETRY,
  SC_REJECT_LEFT
};

typedef struct sc_rejected {
  uint32_t function, place, line; /* place: or SC_FACTS_NONE */
  enum sc_role role;
  enum sc_rejection why;
  uint32_t other; /* CONDITIONAL: the function that is called; by runs: the event */
} sc_rejected;

/* Whether counts of a study disproved it, not the code. */
static inline bool sc_rejected_by_run(const sc_rejected *rejected) { return rejected->why >= SC_REJECT_CONSTANT; }

typedef struct sc_caller {
  uint32_t function, call; /* call: of facts.calls */
} sc_caller;

/* What a function's memory comes from or goes to. */
typedef struct sc_flow {
  bool fresh;        /* returns memory that nobody else has */
  bool fresh_direct; /* from an allocator of bytes, not from a function that makes such objects */
  uint64_t disposes; /* bit i: of argument i */
  uint64_t disposes_direct;
  uint64_t behind;        /* bit i: of what argument i points to, a pointer */
  uint64_t moves;         /* bit i: argument i, as bytes */
  uint64_t adds, deletes; /* bit i: argument i is a container that it adds to, removes from */
  uint64_t links;         /* of `adds`: itself, to a list */
} sc_flow;

typedef struct sc_name {
  enum sc_role role; /* SC_ROLE_COUNT: it says none */
  double weight;
  bool either, getter;
  const char *word; /* interned; NULL */
  bool learnt;
} sc_name;

/* What a function does with a mechanism, as it is found: looked up while evidence is added. */
typedef struct sc_known {
  uint32_t function, mechanism;
  unsigned roles; /* bit: enum sc_role */
  int unit;
  unsigned layer;
} sc_known;

/* A study whose runs were looked at; texts are interned. */
typedef struct sc_measured {
  const char *study, *parameter;
  double smallest, largest; /* sizes */
  size_t runs;
} sc_measured;

/* How often a function ran: in the study where it grows with the parameter, else in one where it ran. */
typedef struct sc_ran {
  double few;      /* calls in a run of the smallest size (means of such runs) */
  double most, at; /* the most in a run of a larger one, and that size */
  uint32_t measured;
  bool ran, grows;
} sc_ran;

/* What the probes of an event counted in the newest run of a study's largest size. */
typedef struct sc_dealt {
  sc_counted counted;
  const char *discarded; /* why the trace of a run disproves it; NULL */
  uint32_t measured;
  bool any;
} sc_dealt;

/* What a run says against an event without disproving it. */
enum sc_run_doubt {
  SC_DOUBT_NONE,
  SC_DOUBT_CONSTANT,   /* others of its resource grow, and it does not */
  SC_DOUBT_UNBALANCED, /* it releases more often than is acquired */
  SC_DOUBT_STRANGERS,  /* it releases what nothing acquired */
  SC_DOUBT_MOVED,      /* the same, or nothing comes back, of objects that are moved in between */
  SC_DOUBT_UNSEEN      /* what it acquired was acquired again before it came back */
};

/* A function that does something to a resource. */
typedef struct sc_event {
  uint32_t function, mechanism; /* mechanism: the one that stands for all that are the same */
  enum sc_role role;
  int unit;
  unsigned layer; /* 0: does it itself; 1: calls one that does; ... */
  double score;
  uint32_t resource;
  bool chosen; /* of the layer that is proposed */
  enum sc_run_doubt doubt;
  enum sc_rejection disproved; /* by runs */
  sc_facts_slice evidence;
} sc_event;

typedef struct sc_resource {
  uint32_t mechanism;
  double score; /* of the weaker side's best event */
  double rank;  /* by which they are ordered */
  size_t sites; /* calls of its events */
  sc_facts_slice events;
  bool uncounted;           /* a call may be none or many: it is shown, and not proposed */
  bool container, internal; /* a generic container; all its callers are in one file */
  bool interface;           /* of a library: its callers can obtain and release it */
  bool complete;            /* something acquires, and something releases */
  bool proposed, ran;       /* before runs were looked at; something that acquires it ran, and is kept */
} sc_resource;

/* Whether it is sure enough for people, and for a probe set. */
static inline bool sc_resource_is_shown(const sc_resource *resource)
{
  return resource->complete && resource->score >= SC_DISCOVER_PERHAPS;
}

/* What became of the proposed events of shown resources in the runs. */
typedef struct sc_run_verdict {
  size_t proposed, rejected, not_run;
  size_t kept, weak; /* of those that ran; weak: doubts leave too little of their resource for it to be shown */
} sc_run_verdict;

typedef struct sc_discovery {
  sc_facts facts;
  sc_flow *flow;           /* [functions_count] */
  sc_name *names;          /* [functions_count] */
  sc_facts_slice *callers; /* [functions_count], of `calls_in` */
  sc_caller *calls_in;
  unsigned char *lengths; /* [places_count]: 1: how long a text is */
  unsigned char *starts;  /* [functions_count]: 1: main, or runs once from there */
  bool is_program;        /* it has a main function */
  SC_FACTS_ARRAY(sc_mechanism, mechanisms);
  SC_FACTS_ARRAY(sc_evidence, evidence);
  SC_FACTS_ARRAY(sc_rejected, rejected);
  SC_FACTS_ARRAY(sc_event, events);
  SC_FACTS_ARRAY(sc_resource, resources);
  SC_FACTS_ARRAY(sc_known, known);
  SC_FACTS_ARRAY(sc_measured, measured);
  sc_ran *ran;     /* [functions_count]; NULL: nothing was measured */
  sc_dealt *dealt; /* [events_count]; the same */
  sc_run_verdict verdict;
  struct sc_llm *llm; /* NULL: no language model */
  sc_index mechanism_index, known_index;
} sc_discovery;

/* Whether it is one of those for a probe set: of the layer that is proposed, and each call is one unit. Once resources
 * are ordered. */
static inline bool sc_event_is_proposed(const sc_discovery *d, const sc_event *event)
{
  return event->chosen && !d->resources[event->resource].uncounted;
}

/* ---- steps, each needs the ones before it ---- */
int sc_discovery_find_callers(sc_discovery *d) SC_CHECK;
int sc_discovery_find_starts(sc_discovery *d) SC_CHECK;
int sc_discovery_name(sc_discovery *d) SC_CHECK;
int sc_discovery_flow(sc_discovery *d) SC_CHECK;
int sc_discovery_links(sc_discovery *d) SC_CHECK;
/* Which of those lists end with a call; needs the links' evidence alone. */
int sc_discovery_locals(sc_discovery *d) SC_CHECK;
int sc_discovery_counters(sc_discovery *d) SC_CHECK;
int sc_discovery_allocators(sc_discovery *d) SC_CHECK;
int sc_discovery_containers(sc_discovery *d) SC_CHECK;
int sc_discovery_buffers(sc_discovery *d) SC_CHECK;
int sc_discovery_owners(sc_discovery *d) SC_CHECK;
/* Joins mechanisms that the same functions move in step. */
int sc_discovery_merge(sc_discovery *d) SC_CHECK;
/* Which counters are a lock. */
int sc_discovery_locks(sc_discovery *d) SC_CHECK;
int sc_discovery_forward(sc_discovery *d) SC_CHECK;
int sc_discovery_waits(sc_discovery *d) SC_CHECK;
int sc_discovery_pairs(sc_discovery *d) SC_CHECK;
/* What a language model says of that, if there is one: asks it, and believes what the code bears out. */
int sc_discovery_ask(sc_discovery *d) SC_CHECK;
/* Evidence becomes events with scores; what is disproved goes to `rejected`. */
int sc_discovery_score(sc_discovery *d) SC_CHECK;
int sc_discovery_resources(sc_discovery *d) SC_CHECK;
/* Where nothing ran of what was chosen for a role: the innermost functions that did, if any. */
void sc_discovery_choose_again(const sc_discovery *d, const sc_resource *resource, enum sc_role role);
/* Orders the resources by their events as they are now, and numbers these. */
void sc_discovery_order(sc_discovery *d);
/* ---- what they share ---- */
int sc_discovery_mechanism(sc_discovery *d, enum sc_mechanism_kind kind, uint32_t place, const char *type,
                           uint32_t *mechanism) SC_CHECK;
int sc_discovery_evidence(sc_discovery *d, const sc_evidence *evidence) SC_CHECK;
int sc_discovery_reject(sc_discovery *d, const sc_rejected *rejected) SC_CHECK;
/* Appends a text as it may be shown (sc_utf8_show) to the empty `shown`, cut between characters to `limit` bytes. */
int sc_discovery_show(const char *text, size_t limit, sc_buf *shown) SC_CHECK;
/* The mechanism that stands for it. */
uint32_t sc_discovery_root(const sc_discovery *d, uint32_t mechanism);
/* Whether it acquires a lock as one of several readers. */
bool sc_discovery_is_shared(const sc_discovery *d, const sc_event *event);
/* What is known of a function and a mechanism (or the one that stands for it); NULL. */
const sc_known *sc_discovery_known(const sc_discovery *d, uint32_t function, uint32_t mechanism);
/* Learns verbs from the evidence so far. */
int sc_discovery_learn(sc_discovery *d) SC_CHECK;

/* The value is exactly this argument, or null. */
bool sc_discovery_is_argument(const sc_facts *facts, sc_facts_slice values, uint32_t *argument);
/* The value is what is in the record that this argument points to, where that has nothing but one pointer. */
bool sc_discovery_is_handle(const sc_facts *facts, const sc_facts_function *function, sc_facts_slice values,
                            uint32_t *argument);
/* Bit i: argument i of the function that calls is handed on as one of the call's arguments in the mask. */
uint64_t sc_discovery_handed_on(const sc_facts *facts, const sc_facts_call *call, uint64_t mask);
/* One of the things that are returned is the result of the function's call `number`, or a record that has it as its
 * only field. */
bool sc_discovery_returns_call(const sc_facts *facts, const sc_facts_function *function, uint32_t number);
/* What a value of the function was before calls that return nothing but one of their arguments: of check(malloc(n)) the
 * result of malloc. The value itself where it is no result of such a call, or the argument has several values. */
const sc_facts_value *sc_discovery_passed(const sc_facts *facts, const sc_facts_function *function,
                                          const sc_facts_value *value);
/* One of the things that are returned is this argument, and has the type of an object. */
bool sc_discovery_may_return(const sc_facts *facts, const sc_facts_function *function, int argument);
/* Whether a type says nothing of what is there: void, char, numbers. */
bool sc_discovery_is_generic(const sc_facts_type_ref *type);
const sc_facts_type_ref *sc_discovery_argument_type(const sc_facts *facts, const sc_facts_function *function,
                                                    uint32_t argument);
/* The type of a unit as SC_UNIT_... says it; "" if unknown. */
const char *sc_discovery_unit_type(const sc_facts *facts, const sc_facts_function *function, int unit);
/* What was in a place is one of the call's arguments. */
bool sc_discovery_call_gets(const sc_facts *facts, const sc_facts_call *call, uint32_t place);
/* Whether an allocator of bytes is called that is not in the program. */
bool sc_discovery_allocates(const sc_discovery *d, const sc_facts_call *call);
/* Bit i: what the call's argument i points to may be elsewhere afterwards. */
uint64_t sc_discovery_moves(const sc_discovery *d, const sc_facts_call *call);
/* Bit i: the call disposes of argument i, in the program (as far as the flow is known) or outside. */
uint64_t sc_discovery_disposes(const sc_discovery *d, const sc_facts_call *call);
