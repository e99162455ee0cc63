// SPDX-License-Identifier: GPL-3.0-or-later
// owners MODE N: everything is obtained through functions of the program's own; TWIN: all of it comes back.
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

extern "C" {
void *my_alloc(size_t bytes); // in a file of its own
void my_free(void *block);
}

#ifdef TWIN
enum { LEAKS = 0 };
#else
enum { LEAKS = 1 };
#endif

__attribute__((noinline)) static char *copy(const char *text)
{
  char *to = static_cast<char *>(my_alloc(strlen(text) + 2000));
  return strcpy(to, text);
}

static void serve(long requests)
{
  for (long i = 0; i < requests; i++) {
    void *head = my_alloc(1000); /* well: memory */
    char *name = copy("name");   /* well: memory */
    char *text = copy("text");   /* culprit: memory */
    my_free(head);
    my_free(name);
    if (!LEAKS)
      my_free(text);
  }
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
  explicit ScopedLock(Mutex *mu) : mu_(mu) { mu_->Lock(); }
  ~ScopedLock() { mu_->Unlock(); }

private:
  Mutex *mu_;
};

static Mutex table;
static long size;

static void *client(void *unused)
{
  for (int i = 0; i < 10; i++) {
    {
      ScopedLock brief(&table); /* well: lock */
      usleep(10);
    }
    usleep(16000);
    {
      ScopedLock whole(&table); /* culprit: lock */
      usleep(LEAKS ? size : 10);
    }
    usleep(16000);
  }
  return unused;
}

static void share()
{
  pthread_t clients[3];
  for (pthread_t &one : clients)
    pthread_create(&one, nullptr, client, nullptr);
  for (pthread_t one : clients)
    pthread_join(one, nullptr);
}

int main(int, char **argv)
{
  size = atol(argv[2]);
  if (!strcmp(argv[1], "serve"))
    serve(size);
  else
    share();
}
