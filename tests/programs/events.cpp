// SPDX-License-Identifier: GPL-3.0-or-later
// Allocation and locks among exceptions: counts stay exact, and so does what the program does.
#include <cstdio>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex Lock;
static int Alive;

struct Part {
  explicit Part(int V) : Value(V)
  {
    if (V % 5 == 4)
      throw std::runtime_error("part");
    Alive++;
  }
  ~Part() { Alive--; }
  int Value;
};

struct Whole {
  explicit Whole(int V) : A(new Part(V)), B(new Part(V + 1)) {}
  std::unique_ptr<Part> A, B;
};

static int guarded(int V)
{
  std::lock_guard<std::mutex> G(Lock);
  if (V % 7 == 3)
    throw V;
  return V;
}

static int build(int N)
{
  int Failed = 0;
  for (int I = 0; I < N; I++) {
    try {
      Whole W(I);
      Failed += W.B->Value < 0;
    } catch (const std::exception &) {
      Failed++;
    }
  }
  return Failed;
}

static int enormous(std::size_t N)
{
  try {
    delete[] new char[N];
  } catch (const std::bad_alloc &) {
    return 1;
  }
  return 0;
}

static int nothrow(std::size_t N)
{
  char *P = new (std::nothrow) char[N];
  bool Got = P != nullptr;
  delete[] P;
  return Got;
}

struct alignas(64) Wide {
  char Bytes[64];
};

int main()
{
  int Sum = build(50);
  for (int I = 0; I < 30; I++) {
    try {
      Sum += guarded(I);
    } catch (int V) {
      Sum -= V;
    }
  }
  volatile std::size_t Large = std::size_t(1) << 60;
  Sum += enormous(Large) + nothrow(Large) + nothrow(100);
  std::vector<std::unique_ptr<Wide>> Wides;
  for (int I = 0; I < 5; I++)
    Wides.push_back(std::make_unique<Wide>());
  std::thread T([&] {
    for (int I = 0; I < 10; I++)
      Sum += guarded(7);
  });
  T.join();
  std::printf("%d %d %zu\n", Sum, Alive, Wides.size());
}
