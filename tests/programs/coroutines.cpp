/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coroutines: generators resumed in a loop, tasks that await each other (symmetric transfer), loops before, around and
 * behind suspension points, coroutines that are left before their end, one that calls itself, exceptions through one.
 */
/* flags: -std=c++20 */
/* oracle skips: _ZL8throwingl (it counts the call again for the handler of what the coroutine throws) */
#include <coroutine>
#include <cstdio>
#include <exception>
#include <utility>
#define NOINLINE __attribute__((noinline))

static volatile long sink;

struct generator {
  struct promise_type {
    long value = 0;
    generator get_return_object() { return generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long v) noexcept
    {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
  explicit generator(std::coroutine_handle<promise_type> h) : handle(h) {}
  generator(generator &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  ~generator()
  {
    if (handle)
      handle.destroy();
  }
  bool next()
  {
    handle.resume();
    return !handle.done();
  }
};

struct task {
  struct promise_type {
    std::coroutine_handle<> continuation;
    long value = 0;
    task get_return_object() { return task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct final_awaiter {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept
      {
        std::coroutine_handle<> next = h.promise().continuation;
        return next ? next : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    final_awaiter final_suspend() noexcept { return {}; }
    void return_value(long v) { value = v; }
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
  explicit task(std::coroutine_handle<promise_type> h) : handle(h) {}
  task(task &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  ~task()
  {
    if (handle)
      handle.destroy();
  }
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept
  {
    handle.promise().continuation = caller;
    return handle;
  }
  long await_resume() noexcept { return handle.promise().value; }
};

NOINLINE static long work(long n)
{
  long s = 0;
  for (long i = 0; i < n; i++)
    s += sink ^ i;
  return s;
}

/* A loop before the first suspension point, one around it, one inside that, one behind. */
NOINLINE static generator upto(long n)
{
  for (long i = 0; i < 7; i++)
    sink = i;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < 3; j++)
      sink = work(j);
    co_yield i;
  }
  for (long i = 0; i < 5; i++)
    sink = i;
}

struct guard {
  ~guard()
  {
    for (long i = 0; i < 4; i++)
      sink = i;
  }
};

/* Never comes to its end: its frame is destroyed while it waits. */
NOINLINE static generator endless()
{
  guard g;
  for (long i = 0;; i++)
    co_yield i;
}

NOINLINE static generator throwing(long n)
{
  for (long i = 0; i < n; i++)
    co_yield i;
  throw 1;
}

NOINLINE static task leaf(long n)
{
  long s = 0;
  for (long i = 0; i < n; i++)
    s += sink ^ i;
  co_return s;
}

NOINLINE static task middle(long n)
{
  long s = 0;
  for (long i = 0; i < n; i++)
    s += co_await leaf(i);
  co_return s;
}

NOINLINE static task tree(long depth)
{
  if (depth == 0)
    co_return 1;
  long s = 0;
  for (long i = 0; i < 2; i++)
    s += co_await tree(depth - 1);
  co_return s;
}

NOINLINE static long consume(generator g)
{
  long s = 0;
  while (g.next())
    s += g.handle.promise().value;
  return s;
}

/* Small enough for the optimiser to keep its frame on the caller's stack, inlined. */
static generator small(long n)
{
  for (long i = 0; i < n; i++)
    co_yield i;
}

int main()
{
  long total = 0;
  for (long i = 0; i < 3; i++)
    total += consume(upto(100));
  total += consume(small(50));
  for (generator g = small(20); g.next();)
    total += g.handle.promise().value;
  {
    generator g = endless();
    for (long i = 0; i < 30; i++)
      g.next();
  }
  try {
    consume(throwing(6));
  } catch (int thrown) {
    total += thrown;
  }
  task t = middle(40);
  t.handle.resume();
  task u = tree(6);
  u.handle.resume();
  total += t.handle.promise().value * 0 + u.handle.promise().value;
  printf("%ld\n", total);
  return 0;
}
