/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A buffer pool that one query monopolises (MySQL's bug in figure 1 of gigiprofiler): n sessions read a few pages of a
 * small table each; one query materialises its result in pages of a temporary table, which it holds to its end. The
 * sessions then have to wait for a frame. With -DFIXED the temporary table goes to a file of its own.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 64, TEMP_PAGES = 60, PAGE = 512, ROUNDS = 40 };

struct buf_block {
  struct buf_block *next_free;
  unsigned page_no;
  char frame[PAGE];
};

struct buf_pool {
  pthread_mutex_t mutex;
  pthread_cond_t no_free;
  struct buf_block *free;
  unsigned curr_size;
  struct buf_block blocks[FRAMES];
};

static struct buf_pool buf_pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .no_free = PTHREAD_COND_INITIALIZER};

static struct buf_block *buf_lru_get_free_block(struct buf_pool *pool)
{
  pthread_mutex_lock(&pool->mutex);
  while (!pool->free)
    pthread_cond_wait(&pool->no_free, &pool->mutex);
  struct buf_block *block = pool->free;
  pool->free = block->next_free;
  pool->curr_size++;
  pthread_mutex_unlock(&pool->mutex);
  return block;
}

static void buf_block_free(struct buf_pool *pool, struct buf_block *block)
{
  pthread_mutex_lock(&pool->mutex);
  block->next_free = pool->free;
  pool->free = block;
  pool->curr_size--;
  pthread_cond_signal(&pool->no_free);
  pthread_mutex_unlock(&pool->mutex);
}

static void io_wait(long microseconds) { nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL); }

static struct buf_block *buf_page_get_gen(unsigned page_no)
{
  struct buf_block *block = buf_lru_get_free_block(&buf_pool);
  block->page_no = page_no;
  memset(block->frame, (int)page_no, sizeof block->frame);
  io_wait(100);
  return block;
}

static void *session(void *argument)
{
  unsigned long sum = 0;
  (void)argument;
  for (unsigned i = 0; i < ROUNDS; i++) {
    struct buf_block *block = buf_page_get_gen(i % 8);
    for (unsigned k = 0; k < PAGE; k++)
      sum += (unsigned char)block->frame[k];
    buf_block_free(&buf_pool, block);
    io_wait(50);
  }
  return (void *)sum;
}

#ifndef FIXED
static void *scan(void *argument)
{
  struct buf_block *temporary[TEMP_PAGES];
  (void)argument;
  for (unsigned i = 0; i < TEMP_PAGES; i++)
    temporary[i] = buf_page_get_gen(1000 + i);
  io_wait(20000);
  for (unsigned i = 0; i < TEMP_PAGES; i++)
    buf_block_free(&buf_pool, temporary[i]);
  return NULL;
}
#else
static void *scan(void *argument)
{
  FILE *file = tmpfile();
  char page[PAGE] = "temporary";
  (void)argument;
  for (unsigned i = 0; file && i < TEMP_PAGES; i++)
    fwrite(page, sizeof page, 1, file);
  io_wait(20000);
  if (file)
    fclose(file);
  return NULL;
}
#endif

int main(int argc, char **argv)
{
  unsigned sessions = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
  pthread_t *threads = calloc(sessions + 1, sizeof *threads);
  for (unsigned i = 0; i < FRAMES; i++)
    buf_block_free(&buf_pool, &buf_pool.blocks[i]);
  buf_pool.curr_size = 0;
  pthread_create(&threads[sessions], NULL, scan, NULL);
  io_wait(8000);
  for (unsigned i = 0; i < sessions; i++)
    pthread_create(&threads[i], NULL, session, NULL);
  for (unsigned i = 0; i <= sessions; i++)
    pthread_join(threads[i], NULL);
  free(threads);
  puts("done");
  return 0;
}
