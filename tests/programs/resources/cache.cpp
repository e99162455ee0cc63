// SPDX-License-Identifier: GPL-3.0-or-later
// n questions are answered from a cache that nothing is ever taken out of; three in four were never asked before.
// Twin 1: the least recently used answer makes room for the 65th. Twin 2: there are only 48 different questions.
#include "program.h"
#include <list>
#include <string>
#include <unordered_map>

namespace
{
class Cache
{
public:
  std::size_t answer(long question) // culprit: what the library obtains for it is reported at this context
  {
    auto at = index.find(question);
    if (at != index.end()) {
      answers.splice(answers.begin(), answers, at->second);
      return at->second->text.size();
    }
#if TWIN == 1
    if (index.size() == 64) {
      index.erase(answers.back().question);
      answers.pop_back();
    }
#endif
    answers.push_front({question, "the answer to the question " + std::to_string(question)}); // culprit
    index.emplace(question, answers.begin());                                                 // culprit
    return answers.front().text.size();
  }

private:
  struct Answer {
    long question;
    std::string text;
  };
  std::list<Answer> answers;
  std::unordered_map<long, std::list<Answer>::iterator> index;
};
} // namespace

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  unsigned long state = 1;
  std::size_t sum = 0;
  Cache cache;
  for (long i = 0; i < n; i++)
#if TWIN == 2
    sum += cache.answer(program_draw(&state, 48));
#else
    sum += cache.answer(program_draw(&state, 4) ? 1000 + i : program_draw(&state, 48));
#endif
  std::printf("%zu\n", sum);
}
