/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs whose threads queue for something, each of another shape: shapes SHAPE THREADS. What is waited for outside
 * sleeps; what computes does a fixed amount of work, so that it takes longer without a processor. ../README.md
 * says what each of them is. */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STRIPES = 16, ROUNDS = 60, MICROSECOND = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t stripes[STRIPES];
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static sem_t three, eight, handed;
static long size;

typedef struct worker {
  pthread_t thread;
  unsigned long state; /* of the numbers drawn */
  long number;
} worker;

static long draw(worker *w, long bound)
{
  w->state ^= w->state << 13;
  w->state ^= w->state >> 7;
  w->state ^= w->state << 17;
  return (long)((w->state >> 16) % (unsigned long)bound);
}

static void rest(long microseconds)
{
  struct timespec left = {microseconds / 1000000, microseconds % 1000000 * MICROSECOND};
  while (nanosleep(&left, &left))
    ;
}

/* Between half and one and a half of it. */
static void rest_about(worker *w, long microseconds) { rest(microseconds / 2 + draw(w, microseconds)); }

static volatile unsigned long sink;

/* About a microsecond of a processor at 3 GHz each. */
static void compute(long microseconds)
{
  unsigned long x = 1;
  for (long i = 0; i < microseconds * 600; i++)
    x = (x ^ x >> 29) * 6364136223846793005u;
  sink = x;
}

static void compute_held(worker *w)
{
  pthread_mutex_lock(&lock);
  compute(100);
  pthread_mutex_unlock(&lock);
  rest_about(w, 4000);
}

static void compute_mostly_free(worker *w)
{
  pthread_mutex_lock(&lock);
  compute(30);
  pthread_mutex_unlock(&lock);
  compute(300 + draw(w, 200));
}

static void compute_always(worker *w)
{
  pthread_mutex_lock(&lock);
  compute(200);
  pthread_mutex_unlock(&lock);
  compute(200 + draw(w, 200));
}

static void compute_and_rest(worker *w)
{
  pthread_mutex_lock(&lock);
  compute(100);
  pthread_mutex_unlock(&lock);
  compute(150);
  rest_about(w, 3000);
}

static void rest_held(worker *w)
{
  pthread_mutex_lock(&lock);
  rest(1000);
  pthread_mutex_unlock(&lock);
  rest_about(w, 20000);
}

static void rest_held_compute_free(worker *w)
{
  pthread_mutex_lock(&lock);
  rest(1000);
  pthread_mutex_unlock(&lock);
  compute(1000 + draw(w, 1000));
}

static void readers(worker *w)
{
  if (draw(w, 4) == 0) {
    pthread_rwlock_wrlock(&table);
    rest(1000);
    pthread_rwlock_unlock(&table);
  } else {
    pthread_rwlock_rdlock(&table);
    rest(500);
    pthread_rwlock_unlock(&table);
  }
  rest_about(w, 12000);
}

static void three_at_once(worker *w)
{
  sem_wait(&three);
  rest(3000);
  sem_post(&three);
  rest_about(w, 15000);
}

static void eight_at_once(worker *w)
{
  sem_wait(&eight);
  rest(5000);
  sem_post(&eight);
  rest_about(w, 15000);
}

/* Units come back from a thread of their own, some time later. */
static long taken;
static pthread_mutex_t taken_lock = PTHREAD_MUTEX_INITIALIZER;

static void hand_over(worker *w)
{
  sem_wait(&handed);
  pthread_mutex_lock(&taken_lock);
  taken++;
  pthread_mutex_unlock(&taken_lock);
  rest_about(w, 12000);
}

static void *give_back(void *unused)
{
  for (long left = size * ROUNDS, mine; left > 0; left -= mine) {
    rest(2000);
    pthread_mutex_lock(&taken_lock);
    mine = taken;
    taken = 0;
    pthread_mutex_unlock(&taken_lock);
    for (long i = 0; i < mine; i++)
      sem_post(&handed);
  }
  return unused;
}

static void hold_stripe(long i, long microseconds)
{
  pthread_mutex_lock(&stripes[i]);
  rest(microseconds);
  pthread_mutex_unlock(&stripes[i]);
}

static void hot_stripe(worker *w)
{
  hold_stripe(draw(w, 10) < 7 ? 3 : draw(w, STRIPES), 1000);
  rest_about(w, 12000);
}

static void even_stripes(worker *w)
{
  hold_stripe(draw(w, STRIPES), 2000);
  rest_about(w, 6000);
}

static void nested(worker *w)
{
  pthread_mutex_lock(&lock);
  rest(400);
  if (draw(w, 2)) {
    pthread_mutex_lock(&inner);
    rest(800);
    pthread_mutex_unlock(&inner);
  }
  pthread_mutex_unlock(&lock);
  rest_about(w, 16000);
}

/* Also holds the inner lock without the outer one. */
static void nested_and_alone(worker *w)
{
  nested(w);
  pthread_mutex_lock(&inner);
  rest(400);
  pthread_mutex_unlock(&inner);
  rest_about(w, 4000);
}

static void retry(worker *w)
{
  while (pthread_mutex_trylock(&lock) != 0)
    rest_about(w, 2000);
  rest(600);
  pthread_mutex_unlock(&lock);
  rest_about(w, 14000);
}

/* ---- held out: nothing of the prediction is chosen by these ---- */

/* Most holds are short, one in eight is ten times as long. */
static void varied_holds(worker *w)
{
  pthread_mutex_lock(&lock);
  rest(draw(w, 8) ? 400 : 4000);
  pthread_mutex_unlock(&lock);
  rest_about(w, 18000);
}

/* One thread in four holds long and comes seldom. */
static void two_kinds(worker *w)
{
  bool slow = w->number % 4 == 0;
  pthread_mutex_lock(&lock);
  rest(slow ? 2500 : 300);
  pthread_mutex_unlock(&lock);
  rest_about(w, slow ? 20000 : 10000);
}

static void read_mostly(worker *w)
{
  if (draw(w, 12) == 0) {
    pthread_rwlock_wrlock(&table);
    rest(2000);
    pthread_rwlock_unlock(&table);
  } else {
    pthread_rwlock_rdlock(&table);
    rest(300);
    pthread_rwlock_unlock(&table);
  }
  rest_about(w, 8000);
}

static void compute_eight_at_once(worker *w)
{
  sem_wait(&eight);
  rest(3000);
  compute(200);
  sem_post(&eight);
  rest_about(w, 9000);
}

static void few_stripes(worker *w)
{
  long i = draw(w, 4);
  pthread_mutex_lock(&stripes[i]);
  compute(80);
  rest(500);
  pthread_mutex_unlock(&stripes[i]);
  rest_about(w, 5000);
}

static void one_after_another(worker *w)
{
  pthread_mutex_lock(&lock);
  rest(1000);
  pthread_mutex_unlock(&lock);
  rest_about(w, 5000);
  pthread_mutex_lock(&inner);
  rest(600);
  pthread_mutex_unlock(&inner);
  rest_about(w, 10000);
}

static void compute_in_parts(worker *w)
{
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&lock);
    compute(40);
    pthread_mutex_unlock(&lock);
    compute(60);
  }
  rest_about(w, 6000);
}

static const struct shape {
  const char *name;
  void (*round)(worker *);
} shapes[] = {{"compute_held", compute_held},
              {"compute_mostly_free", compute_mostly_free},
              {"compute_always", compute_always},
              {"compute_and_rest", compute_and_rest},
              {"rest_held", rest_held},
              {"rest_held_compute_free", rest_held_compute_free},
              {"readers", readers},
              {"three_at_once", three_at_once},
              {"eight_at_once", eight_at_once},
              {"hand_over", hand_over},
              {"hot_stripe", hot_stripe},
              {"even_stripes", even_stripes},
              {"nested", nested},
              {"nested_and_alone", nested_and_alone},
              {"retry", retry},
              {"varied_holds", varied_holds},
              {"two_kinds", two_kinds},
              {"read_mostly", read_mostly},
              {"compute_eight_at_once", compute_eight_at_once},
              {"few_stripes", few_stripes},
              {"one_after_another", one_after_another},
              {"compute_in_parts", compute_in_parts}};

static void (*chosen)(worker *);
static long rounds = ROUNDS;

static void *work(void *data)
{
  worker *w = data;
  for (long i = 0; i < rounds; i++)
    chosen(w);
  return NULL;
}

static void *choose(const char *name)
{
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (strcmp(shapes[i].name, name) == 0)
      chosen = shapes[i].round;
  return chosen ? &chosen : NULL;
}

int main(int count, char **arguments)
{
  size = count == 3 ? atol(arguments[2]) : 0;
  if (size < 1 || !choose(arguments[1])) {
    fprintf(stderr, "usage: %s SHAPE THREADS\n", arguments[0]);
    return 2;
  }
  if (chosen == compute_mostly_free || chosen == compute_always)
    rounds *= 4;
  sem_init(&three, 0, 3);
  sem_init(&eight, 0, 8);
  sem_init(&handed, 0, 8);
  for (int i = 0; i < STRIPES; i++)
    pthread_mutex_init(&stripes[i], NULL);
  worker *workers = calloc((size_t)size, sizeof *workers);
  if (!workers)
    return 1;
  pthread_t giver;
  if (chosen == hand_over && pthread_create(&giver, NULL, give_back, NULL))
    return 1;
  for (long i = 0; i < size; i++) {
    workers[i].number = i;
    workers[i].state = (unsigned long)i * 2654435761u + 88172645463325252u;
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  }
  for (long i = 0; i < size; i++)
    pthread_join(workers[i].thread, NULL);
  if (chosen == hand_over)
    pthread_join(giver, NULL);
  puts("done");
  free(workers);
  return 0;
}
