// SPDX-License-Identifier: GPL-3.0-or-later
// library_calls CASE N: C++ programs whose quadratic work is done by the C++ library, and twins that do the same in
// linear time. The comment behind a call names the case whose finding is expected at that line.
#include "cases.h"
#include <algorithm>
#include <deque>
#include <numeric>
#include <queue>
#include <sstream>
#include <string>
#include <vector>

static std::string repeated(const char *piece, int n)
{
  std::string text;
  for (int i = 0; i < n; i++)
    text += piece;
  return text;
}

// Messages are taken from the front of what was received.
static void receive(int n)
{
  std::string received = repeated("message\n", n);
  for (std::size_t end; (end = received.find('\n')) != std::string::npos;) {
    sum += received[0];
    received.erase(0, end + 1); // receive
  }
}
static void receive_twin(int n)
{
  std::string received = repeated("message\n", n);
  std::size_t start = 0;
  for (std::size_t end; (end = received.find('\n', start)) != std::string::npos; start = end + 1)
    sum += received[start];
  received.erase(0, start);
}

// The newest first.
static void history(int n)
{
  std::vector<long> newest;
  for (int i = 0; i < n; i++)
    newest.insert(newest.begin(), i); // history
  sum += newest.front();
}
static void history_twin(int n)
{
  std::vector<long> newest;
  for (int i = 0; i < n; i++)
    newest.push_back(i);
  std::reverse(newest.begin(), newest.end());
  sum += newest.front();
}

// A path from its end.
static void path(int n)
{
  std::string all;
  for (int i = 0; i < n; i++)
    all = "folder/" + all; // path
  sum += all.size();
}
static void path_twin(int n)
{
  std::string all;
  for (int i = 0; i < n; i++)
    all += "folder/";
  sum += all.size();
}

// What is left to parse is a string of its own.
static void tokens(int n)
{
  std::string rest = repeated("token ", n);
  while (!rest.empty()) {
    sum += rest[0];
    rest = rest.substr(rest.find(' ') + 1); // tokens
  }
}
static void tokens_twin(int n)
{
  std::string text = repeated("token ", n);
  for (std::size_t at = 0; at < text.size(); at = text.find(' ', at) + 1)
    sum += text[at];
}

// A stream's text is asked for each time.
static void stream(int n)
{
  std::ostringstream out;
  for (int i = 0; i < n; i++) {
    out << "part ";
    sum += out.str().size(); // stream
  }
}
static void stream_twin(int n)
{
  std::ostringstream out;
  for (int i = 0; i < n; i++) {
    out << "part ";
    sum += out.tellp();
  }
}

// Who is first is asked of a copy of the queue.
static int first_of_copy(std::priority_queue<int> queue) { return queue.top(); }
static int first_of(const std::priority_queue<int> &queue) { return queue.top(); }
static void ranking(int n)
{
  std::priority_queue<int> queue;
  for (int i = 0; i < n; i++) {
    queue.push(i);
    sum += first_of_copy(queue); // ranking
  }
}
static void ranking_twin(int n)
{
  std::priority_queue<int> queue;
  for (int i = 0; i < n; i++) {
    queue.push(i);
    sum += first_of(queue);
  }
}

// A text is deleted from its middle. Its blocks of 512 bytes are moved within one and across two, in places of their own.
static void middle(int n)
{
  std::deque<char> text(n, 'x');
  while (!text.empty()) {
    sum += text.size();
    text.erase(text.begin() + text.size() / 2); // middle
  }
}
static void middle_twin(int n)
{
  std::deque<char> text(n, 'x');
  while (!text.empty()) {
    sum += text.size();
    text.pop_front();
  }
}

int main(int argc, char **argv)
{
  static const struct named_case cases[] = {
      CASE(receive), CASE(history), CASE(path), CASE(tokens), CASE(stream), CASE(ranking), CASE(middle),
  };
  return run_case(cases, sizeof cases / sizeof *cases, argc, argv);
}
