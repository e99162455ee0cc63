// SPDX-License-Identifier: GPL-3.0-or-later
// parse N: a formula of n numbers is parsed into a tree, evaluated and printed.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "random.h"

struct node {
  char kind;
  double value;
  std::unique_ptr<node> left, right;
};

static std::unique_ptr<node> sum(const char *&at);

static std::unique_ptr<node> factor(const char *&at)
{
  if (*at == '(') {
    auto inner = sum(++at);
    at++;
    return inner;
  }
  char *end;
  double value = std::strtod(at, &end);
  at = end;
  return std::unique_ptr<node>(new node{'n', value, nullptr, nullptr});
}

static std::unique_ptr<node> sum(const char *&at)
{
  auto left = factor(at);
  while (*at == '+' || *at == '-') {
    char kind = *at++;
    auto right = factor(at);
    left.reset(new node{kind, 0, std::move(left), std::move(right)});
  }
  return left;
}

static double evaluate(const node &tree)
{
  if (tree.kind == 'n')
    return tree.value;
  double left = evaluate(*tree.left), right = evaluate(*tree.right);
  return tree.kind == '+' ? left + right : left - right;
}

static void print(const node &tree, std::string &out)
{
  if (tree.kind == 'n') {
    out += std::to_string(tree.value);
    return;
  }
  out += '(';
  print(*tree.left, out);
  out += tree.kind;
  print(*tree.right, out);
  out += ')';
}

// Balanced brackets, so that trees are no deeper than their size's logarithm.
static void write(size_t n, std::string &out)
{
  if (n <= 1) {
    out += std::to_string(random_next() % 100);
    return;
  }
  out += '(';
  write(n / 2, out);
  out += random_next() % 2 ? '+' : '-';
  write(n - n / 2, out);
  out += ')';
}

int main(int argc, char **argv)
{
  std::string text, printed;
  write(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1, text);
  const char *at = text.c_str();
  auto tree = sum(at);
  print(*tree, printed);
  std::printf("%g %zu\n", evaluate(*tree), printed.size());
}
