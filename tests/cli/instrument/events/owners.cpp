// SPDX-License-Identifier: GPL-3.0-or-later
// What functions obtain for their callers belongs to the calls of them, whether they were inlined or not.
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

#if __has_attribute(noinline)
#define OUT_OF_LINE __attribute__((noinline))
#endif

static void *xmalloc(size_t bytes)
{
  void *block = malloc(bytes);
  if (!block)
    abort();
  return block;
}

OUT_OF_LINE static void *xcalloc(size_t bytes)
{
  void *block = xmalloc(bytes); // goes on to the callers of xcalloc
  static_cast<volatile char *>(block)[0] = 0;
  return block;
}

static void *table[8];

// What is kept is not the callers'.
OUT_OF_LINE static void *intern(int which)
{
  if (!table[which])
    table[which] = malloc(24);
  return table[which];
}

class Mutex
{
public:
  void Lock() { pthread_mutex_lock(&mu_); }
  void Unlock() { pthread_mutex_unlock(&mu_); }

private:
  pthread_mutex_t mu_ = PTHREAD_MUTEX_INITIALIZER;
};

class ScopedLock
{
public:
  OUT_OF_LINE explicit ScopedLock(Mutex *mu) : mu_(mu) { mu_->Lock(); }
  ~ScopedLock() { mu_->Unlock(); }

private:
  Mutex *mu_;
};

static Mutex mutex;
static std::mutex other;
static volatile int work;

OUT_OF_LINE static void serve(int i)
{
  void *volatile head = xmalloc(64);
  void *volatile body = xmalloc(128);
  void *volatile name = xcalloc(32), *volatile text = xcalloc(48);
  free(head);
  free(name);
  free(text);
  if (i % 2)
    free(body);
  intern(i % 4);
  intern(i % 8);
  {
    ScopedLock brief(&mutex);
    work = work + 1;
  }
  ScopedLock lasting(&mutex);
  {
    std::lock_guard<std::mutex> guard(other);
    work = work + 1;
  }
  std::lock_guard<std::mutex> guard(other);
}

// Given back by functions that call each other: whoever is asked about first, these hold nothing when they return.
static pthread_mutex_t third = PTHREAD_MUTEX_INITIALIZER;

void pong(int n);

OUT_OF_LINE void ping(int n)
{
  if (n > 0)
    pong(n - 1);
  else
    pthread_mutex_unlock(&third);
}

OUT_OF_LINE void pong(int n)
{
  work = work + n;
  ping(n - 1);
}

OUT_OF_LINE static void beginPing()
{
  pthread_mutex_lock(&third);
  ping(2);
}

OUT_OF_LINE static void beginPong()
{
  pthread_mutex_lock(&third);
  pong(2);
}

int main()
{
  for (int i = 0; i < 10; i++)
    serve(i), beginPing(), beginPong();
  beginPing();
  beginPong();
  std::puts("done");
}
