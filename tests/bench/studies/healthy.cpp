// SPDX-License-Identifier: GPL-3.0-or-later
// healthy CASE N: programs whose work is linear in N, but for a logarithm at most, and whose counts are no formula of
// it: salts that differ from run to run, tables that are hashed again, arrays that grow, work in bursts, loops that
// wait for time to pass.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using std::vector;
static std::mt19937_64 chance(std::random_device{}());
static const std::uint64_t salt = chance() | 1;
static long sum;
static std::size_t hashed(std::uint64_t key) { return (key * salt) >> 20; }
static bool one_in(unsigned many) { return chance() % many == 0; }

// --- tables
struct Item {
  std::uint64_t key;
  int next;
};
static void chain_up(vector<int> &heads, vector<Item> &items, std::size_t buckets)
{
  heads.assign(buckets, -1);
  for (std::size_t i = 0; i < items.size(); i++) {
    int &head = heads[hashed(items[i].key) % buckets];
    items[i].next = head;
    head = static_cast<int>(i);
  }
}
static void chained(int n, double load, int factor)
{
  vector<int> heads(8, -1);
  vector<Item> items;
  for (int i = 0; i < n; i++) {
    if (items.size() > load * heads.size())
      chain_up(heads, items, heads.size() * factor);
    std::uint64_t key = chance() % (2u * n);
    int at = heads[hashed(key) % heads.size()];
    while (at >= 0 && items[at].key != key)
      at = items[at].next;
    if (at < 0) {
      int &head = heads[hashed(key) % heads.size()];
      items.push_back({key, head});
      head = static_cast<int>(items.size()) - 1;
    }
  }
  sum += items.size();
}
static void chains(int n) { chained(n, 1, 2); }
static void long_chains(int n) { chained(n, 4, 8); }

static void probe(vector<std::uint64_t> &table, std::uint64_t key)
{
  std::size_t at = hashed(key) % table.size();
  while (table[at] && table[at] != key)
    at = (at + 1) % table.size();
  table[at] = key;
}
static void probing(int n, double load)
{
  vector<std::uint64_t> table(16);
  for (int i = 0; i < n; i++) {
    if (i > load * table.size()) {
      vector<std::uint64_t> larger(table.size() * 2);
      for (std::uint64_t key : table)
        if (key)
          probe(larger, key);
      table.swap(larger);
    }
    probe(table, chance() | 1);
  }
  sum += table.size();
}
static void probes(int n) { probing(n, 0.5); }
static void full_probes(int n) { probing(n, 0.8); }

static bool settle(vector<std::uint64_t> (&half)[2], std::uint64_t key, std::uint64_t odd)
{
  for (int step = 0; step < 64; step++) {
    std::size_t at = (key * (step % 2 ? odd : salt) >> 24) % half[0].size();
    std::swap(key, half[step % 2][at]);
    if (!key)
      return true;
  }
  return false;
}
static void cuckoo(int n)
{
  vector<std::uint64_t> keys, half[2];
  for (auto &each : half)
    each.resize(16);
  std::uint64_t odd = chance() | 1;
  for (int i = 0; i < n; i++) {
    keys.push_back(chance() | 1);
    bool room = keys.size() * 5 < half[0].size() * 4 && settle(half, keys.back(), odd);
    while (!room) {
      room = true;
      odd = chance() | 1;
      for (auto &each : half)
        each.assign(each.size() + (keys.size() * 5 >= each.size() * 4 ? each.size() : 0), 0);
      for (std::size_t k = 0; k < keys.size() && room; k++)
        room = settle(half, keys[k], odd);
    }
  }
  sum += half[0].size();
}

// One bucket of the old table moves with each operation.
static void incremental(int n)
{
  vector<vector<std::uint64_t>> old, table(4);
  std::size_t moved = 0, used = 0;
  for (int i = 0; i < n; i++) {
    if (moved < old.size()) {
      for (std::uint64_t key : old[moved])
        table[hashed(key) % table.size()].push_back(key);
      old[moved++].clear();
    } else if (used >= table.size()) {
      old.assign(table.size() * 2, {});
      old.swap(table);
      moved = 0;
    }
    std::uint64_t key = chance();
    auto &bucket = table[hashed(key) % table.size()];
    used += std::find(bucket.begin(), bucket.end(), key) == bucket.end();
    bucket.push_back(key);
  }
  sum += used;
}

struct Salted {
  std::size_t operator()(const std::string &text) const { return std::hash<std::string>()(text) * salt; }
};
static void dictionary(int n)
{
  std::unordered_map<std::string, int, Salted> words;
  for (int i = 0; i < n; i++)
    words["word" + std::to_string(chance() % (n / 2 + 1))]++;
  sum += words.size();
}
static void seen(int n)
{
  std::unordered_set<std::uint64_t> all;
  while (all.size() < static_cast<std::size_t>(n))
    all.insert(chance() % (8u * n));
  sum += all.size();
}
static void bloom(int n)
{
  vector<bool> bits(static_cast<std::size_t>(n) * 8);
  for (int i = 0; i < n; i++) {
    std::uint64_t key = chance();
    int k = 0;
    while (k < 4 && bits[(key * (salt + 2 * k)) % bits.size()])
      k++;
    for (int set = k; set < 4; set++)
      bits[(key * (salt + 2 * set)) % bits.size()] = true;
    sum += k;
  }
}
static void least_used(int n)
{
  struct Slot {
    std::uint64_t key;
    long used;
  };
  vector<Slot> cache(256);
  for (int i = 0; i < n; i++) {
    std::uint64_t key = chance() % 64 * (one_in(8) ? chance() % 64 : 1);
    std::size_t set = hashed(key) % 32 * 8, worst = set, at = set;
    for (; at < set + 8 && cache[at].key != key; at++)
      worst = cache[at].used < cache[worst].used ? at : worst;
    cache[at < set + 8 ? at : worst] = {key, i};
    sum += at < set + 8;
  }
}

// --- arrays that grow
static void growing(int n, double factor)
{
  std::unique_ptr<long[]> all;
  std::size_t used = 0, room = 0;
  for (int i = 0; i < n; i++)
    for (int more = chance() % 3; more-- > 0;) {
      if (used == room) {
        std::unique_ptr<long[]> larger(new long[room = room * factor + 4]);
        for (std::size_t k = 0; k < used; k++)
          larger[k] = all[k];
        all.swap(larger);
      }
      all[used++] = i;
    }
  sum += used;
}
static void doubling(int n) { growing(n, 2); }
static void by_half(int n) { growing(n, 1.5); }
static void fourfold(int n) { growing(n, 4); }
static void text(int n)
{
  char *all = nullptr;
  std::size_t used = 0, room = 0;
  for (int i = 0; i < n; i++) {
    char line[64];
    int length = snprintf(line, sizeof line, "%llu\n", static_cast<unsigned long long>(chance() >> chance() % 60));
    if (used + length + 1 > room)
      all = static_cast<char *>(realloc(all, room = 2 * room + 100));
    memcpy(all + used, line, length + 1);
    used += length;
  }
  for (char *at = all, *end = all + used; at < end; at++) {
    at = static_cast<char *>(memchr(at, '\n', end - at));
    sum += *at;
  }
  free(all);
}
static void levels(int n) // merged when two have the same length
{
  vector<vector<std::uint64_t>> runs;
  for (int i = 0; i < n; i++) {
    vector<std::uint64_t> run{chance()};
    while (!runs.empty() && runs.back().size() <= run.size()) {
      vector<std::uint64_t> merged(run.size() + runs.back().size());
      std::merge(run.begin(), run.end(), runs.back().begin(), runs.back().end(), merged.begin());
      run.swap(merged);
      runs.pop_back();
    }
    runs.push_back(std::move(run));
  }
  sum += runs.size();
}
static void gap(int n) // a text that is edited near where it was edited before
{
  vector<char> before, after;
  for (int i = 0; i < n; i++) {
    for (int moves = one_in(10) ? chance() % 50 : 0; moves > 0; moves--) {
      vector<char> &from = one_in(2) ? before : after, &to = &from == &before ? after : before;
      if (from.empty())
        break;
      to.push_back(from.back());
      from.pop_back();
    }
    before.push_back('x');
  }
  sum += before.size();
}

// --- trees and sorts by chance
struct Knot {
  std::uint64_t key, weight;
  int left, right;
};
static int insert(vector<Knot> &tree, int at, int fresh)
{
  if (at < 0)
    return fresh;
  bool less = tree[fresh].key < tree[at].key;
  int child = insert(tree, less ? tree[at].left : tree[at].right, fresh);
  (less ? tree[at].left : tree[at].right) = child;
  if (tree[child].weight >= tree[at].weight)
    return at;
  int &inner = less ? tree[child].right : tree[child].left;
  (less ? tree[at].left : tree[at].right) = inner;
  inner = at;
  return child;
}
static void treap(int n)
{
  vector<Knot> tree;
  int root = -1;
  for (int i = 0; i < n; i++) {
    tree.push_back({chance(), chance(), -1, -1});
    root = insert(tree, root, i);
  }
  sum += root;
}
static void skip_list(int n)
{
  const int top = 20;
  struct Tower {
    std::uint64_t key;
    int next[top];
  };
  vector<Tower> all(1);
  std::fill(all[0].next, all[0].next + top, -1);
  for (int i = 0; i < n; i++) {
    Tower fresh{chance(), {}};
    int height = 1, at = 0;
    while (height < top && one_in(2))
      height++;
    for (int level = top - 1; level >= 0; level--) {
      for (int next; (next = all[at].next[level]) >= 0 && all[next].key < fresh.key;)
        at = next;
      fresh.next[level] = level < height ? all[at].next[level] : -1;
      if (level < height)
        all[at].next[level] = static_cast<int>(all.size());
    }
    all.push_back(fresh);
  }
  sum += all.size();
}
static void quick(vector<std::uint64_t> &v, long low, long high)
{
  while (low < high) {
    std::uint64_t pivot = v[low + static_cast<long>(chance() % (high - low + 1))];
    long i = low, j = high;
    while (i <= j) {
      while (v[i] < pivot)
        i++;
      while (v[j] > pivot)
        j--;
      if (i <= j)
        std::swap(v[i++], v[j--]);
    }
    quick(v, low, j);
    low = i;
  }
}
static vector<std::uint64_t> drawn(int n)
{
  vector<std::uint64_t> v(n);
  for (auto &x : v)
    x = chance();
  return v;
}
static void quicksort(int n)
{
  auto v = drawn(n);
  quick(v, 0, n - 1);
  sum += v[n / 2] & 1;
}
static void select_median(int n)
{
  auto v = drawn(n);
  long low = 0, high = n - 1;
  while (low < high) {
    std::uint64_t pivot = v[low + static_cast<long>(chance() % (high - low + 1))];
    auto middle = std::partition(v.begin() + low, v.begin() + high + 1, [&](std::uint64_t x) { return x < pivot; });
    long at = middle - v.begin();
    if (at > n / 2)
      high = at - 1;
    else if (at == low)
      low += std::count(v.begin() + low, v.begin() + high + 1, pivot) > n / 2 ? high : 1;
    else
      low = at;
  }
  sum += v[low] & 1;
}
static void components(int n)
{
  vector<int> parent(n);
  for (int i = 0; i < n; i++)
    parent[i] = i;
  auto find = [&](int x) {
    while (parent[x] != x)
      x = parent[x] = parent[parent[x]];
    return x;
  };
  for (int i = 0; i < n; i++)
    parent[find(static_cast<int>(chance() % n))] = find(static_cast<int>(chance() % n));
  sum += parent[0];
}
static void heap(int n)
{
  vector<std::uint64_t> all;
  for (int i = 0; i < n; i++) {
    all.push_back(chance());
    for (std::size_t at = all.size() - 1; at && all[(at - 1) / 2] < all[at]; at = (at - 1) / 2)
      std::swap(all[at], all[(at - 1) / 2]);
  }
  sum += all[0] & 1;
}
static void trie(int n)
{
  vector<std::vector<int>> nodes(1, vector<int>(16, -1));
  for (int i = 0; i < n; i++) {
    int at = 0;
    for (std::uint64_t key = chance();; key >>= 4) {
      int next = nodes[at][key & 15];
      if (next < 0) {
        nodes[at][key & 15] = static_cast<int>(nodes.size());
        nodes.emplace_back(16, -1);
        break;
      }
      at = next;
    }
  }
  sum += nodes.size();
}

// --- bursts
static void collector(int n) // marks when twice as much is there as was left the last time
{
  struct Cell {
    int next;
    bool used;
  };
  vector<Cell> cells;
  std::size_t threshold = 1000;
  int live = -1;
  for (int i = 0; i < n; i++) {
    cells.push_back({-1, false});
    if (one_in(4)) {
      cells.back().next = live;
      live = static_cast<int>(cells.size()) - 1;
    }
    if (cells.size() < threshold)
      continue;
    vector<Cell> kept;
    for (int at = live; at >= 0; at = cells[at].next)
      kept.push_back({static_cast<int>(kept.size()) - 1, true});
    live = static_cast<int>(kept.size()) - 1;
    cells.swap(kept);
    threshold = std::max<std::size_t>(1000, cells.size() * 2);
  }
  sum += cells.size();
}
static void nursery(int n)
{
  vector<int> young, survivors;
  for (int i = 0; i < n; i++) {
    young.push_back(i);
    if (young.size() < 512)
      continue;
    for (int each : young)
      if (one_in(20))
        survivors.push_back(each);
    young.clear();
  }
  sum += survivors.size();
}
static void blocks(int n) // read by blocks of 16 KiB while a flat list is read
{
  vector<char> buffer(16384);
  std::size_t left = 0;
  for (int i = 0; i < n; i++)
    for (int bytes = 20 + static_cast<int>(chance() % 60); bytes > 0; bytes--) {
      if (!left)
        for (left = 0; left < buffer.size(); left++)
          buffer[left] = static_cast<char>(left);
      sum += buffer[--left];
    }
}
static void retries(int n) // a request in 300 is tried again, up to 500 times
{
  for (int i = 0; i < n; i++)
    if (one_in(300))
      for (int again = static_cast<int>(chance() % 500); again > 0; again--)
        sum += again & i;
    else
      sum += i;
}
static void heavy_tail(int n) // a few requests take very much longer
{
  std::lognormal_distribution<double> length(1, 2);
  for (int i = 0; i < n; i++)
    for (long steps = std::min(20000L, static_cast<long>(length(chance))); steps > 0; steps--)
      sum += steps ^ i;
}
static void sometimes(int n) // one run in five makes an index
{
  auto v = drawn(n);
  for (auto x : v)
    sum += x & 1;
  if (one_in(5))
    std::sort(v.begin(), v.end());
  sum += v[0] & 1;
}
static void backoff(int n) // stations that collide wait for twice as long
{
  for (int i = 0; i < n; i++)
    for (int window = 2; window < 1024 && one_in(2); window *= 2)
      for (int wait = static_cast<int>(chance() % window); wait > 0; wait--)
        sum += wait;
}
static void flushes(int n)
{
  FILE *file = tmpfile();
  std::string pending;
  for (int i = 0; i < n; i++) {
    pending += std::to_string(chance() % 100000) + "\n";
    if (pending.size() < 4096)
      continue;
    fwrite(pending.data(), 1, pending.size(), file);
    pending.clear();
  }
  fclose(file);
}
static void timers(int n) // a wheel of 64 slots
{
  vector<std::deque<int>> wheel(64);
  for (int i = 0; i < n; i++) {
    wheel[(i + chance() % 63 + 1) % 64].push_back(i);
    auto &due = wheel[i % 64];
    while (!due.empty()) {
      sum += due.front();
      due.pop_front();
    }
  }
}

// --- loops that wait for time to pass
using Clock = std::chrono::steady_clock;
static void spin_for(std::chrono::microseconds time)
{
  for (auto end = Clock::now() + time; Clock::now() < end;)
    sum++;
}
static void idle(int n)
{
  vector<long> v(n);
  for (int i = 0; i < n; i++)
    v[i] = i ^ salt;
  spin_for(std::chrono::microseconds(500));
  sum += v[n / 2] & 1;
}
static void paced(int n)
{
  for (int i = 0; i < n; i++) {
    sum += i;
    if (i % 500 == 0)
      spin_for(std::chrono::microseconds(100));
  }
}
static void waiter(int n) // spins until another thread has done its work
{
  std::atomic<bool> done{false};
  std::thread worker([&] {
    std::uint64_t x = salt;
    for (long i = 0; i < 50L * n; i++)
      x = x * 6364136223846793005u + 1;
    done = x != 1;
  });
  while (!done)
    sum++;
  worker.join();
}
static void poller(int n) // looks every 50 microseconds whether another thread has done its work
{
  std::atomic<int> done{0};
  std::thread worker([&] {
    std::uint64_t x = salt;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < 200; k++)
        x = x * 6364136223846793005u + 1;
      done = i + static_cast<int>(x == 1) + 1;
    }
  });
  for (int at = 0; at < n; at = done) {
    sum += at;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  worker.join();
}
static void taken_turns(int n) // two threads take items from one counter
{
  std::atomic<int> next{0};
  std::atomic<long> tries{0};
  auto work = [&] {
    int at = 0;
    while (at < n)
      if (next.compare_exchange_weak(at, at + 1))
        at++;
      else
        tries++;
  };
  std::thread other(work);
  work();
  other.join();
  sum += tries & 1;
}
static void until_late(int n) // a background task that goes on as long as the clock allows
{
  auto v = drawn(n);
  auto start = Clock::now();
  std::sort(v.begin(), v.end());
  for (auto end = Clock::now() + (Clock::now() - start) / 4; Clock::now() < end;)
    sum += v[chance() % n] & 1;
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run)(int);
  } cases[] = {
#define CASE(name) {#name, name}
      CASE(chains),     CASE(long_chains),   CASE(probes),     CASE(full_probes), CASE(cuckoo),    CASE(incremental),
      CASE(dictionary), CASE(seen),          CASE(bloom),      CASE(least_used),  CASE(doubling),  CASE(by_half),
      CASE(fourfold),   CASE(text),          CASE(levels),     CASE(gap),         CASE(treap),     CASE(skip_list),
      CASE(quicksort),  CASE(components),    CASE(heap),       CASE(trie),        CASE(collector), CASE(nursery),
      CASE(blocks),     CASE(retries),       CASE(heavy_tail), CASE(sometimes),   CASE(backoff),   CASE(flushes),
      CASE(timers),     CASE(idle),          CASE(paced),      CASE(waiter),      CASE(poller),    CASE(taken_turns),
      CASE(until_late), CASE(select_median),
  };
  for (const auto &each : cases)
    if (argc == 3 && !std::strcmp(argv[1], each.name)) {
      each.run(std::max(1, std::atoi(argv[2])));
      std::printf("%ld\n", sum);
      return 0;
    } else if (argc == 1)
      std::puts(each.name);
  return argc == 1 ? 0 : 2;
}
