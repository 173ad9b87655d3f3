#pragma once

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace usher::test {

/// Does this stop the process as a bug does? Tried in a child, so that the test goes on.
template <class Action>
bool stops(Action action) {
  std::fflush(nullptr);
  const auto child = ::fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    (void)std::freopen("/dev/null", "w", stderr);
    action();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

} // namespace usher::test
