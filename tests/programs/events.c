/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts stay exact where calls of the runtime stand beside calls that acquire, wait and release. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  int value;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static struct node *queue;
static jmp_buf back;

static struct node *push(struct node *list, int value)
{
  struct node *node = malloc(sizeof *node);

  if (!node)
    abort();
  node->next = list;
  node->value = value;
  return node;
}

static int drop(struct node *list)
{
  int sum = 0;

  while (list) {
    struct node *next = list->next;

    sum += list->value;
    free(list);
    list = next;
  }
  return sum;
}

/* In tail position: what follows the call is the runtime's. */
static void *tail(size_t bytes) { return calloc(1, bytes); }
static int tail_lock(pthread_mutex_t *mutex) { return pthread_mutex_lock(mutex); }
static void tail_free(void *block) { free(block); }

static int attempts(int n)
{
  int failed = 0;

  for (int i = 0; i < n; i++)
    if (pthread_mutex_trylock(&lock) != 0)
      failed++;
    else if (i % 3 == 0)
      pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
  return failed;
}

static void jumps(int n)
{
  for (int i = 0; i < n; i++) {
    void *volatile block = malloc(10 + i);

    if (i == 3) {
      free(block);
      longjmp(back, i);
    }
    free(block);
  }
}

static int grows(int n)
{
  char *text = NULL;
  int length = 0;

  for (int i = 0; i < n; i++) {
    text = realloc(text, length + 2);
    text[length++] = (char)('a' + i % 26);
    text[length] = 0;
  }
  length += (int)strlen(text ? text : "");
  free(text);
  return length;
}

static void *consume(void *argument)
{
  int want = *(int *)argument, sum = 0;

  for (int i = 0; i < want; i++) {
    struct node *node;

    sem_wait(&ready);
    pthread_mutex_lock(&lock);
    node = queue;
    queue = node->next;
    pthread_mutex_unlock(&lock);
    node->next = NULL;
    sum += drop(node);
  }
  *(int *)argument = sum;
  return NULL;
}

int main(void)
{
  struct node *list = NULL;
  volatile int jumped = 0;
  int sum = 0, shared = 200;
  pthread_t thread;

  for (int i = 0; i < 1000; i++)
    list = push(list, i);
  sum += drop(list);
  for (int i = 0; i < 10; i++) {
    tail_free(tail(i));
    tail_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  sum += attempts(10) + grows(100);
  if (setjmp(back) == 0)
    jumps(10);
  else
    jumped++;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, NULL, consume, &shared);
  for (int i = 0; i < 200; i++) {
    pthread_mutex_lock(&lock);
    queue = push(queue, i);
    pthread_mutex_unlock(&lock);
    sem_post(&ready);
  }
  pthread_join(thread, NULL);
  printf("%d %d %d\n", sum, jumped, shared);
  return 0;
}
