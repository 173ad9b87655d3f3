#pragma once

#include "http/client/message.hpp"

#include <chrono>
#include <functional>
#include <utility>
#include <variant>

// A call of a provider may take several requests, each of which depends on the answer before. Which
// ones is decided by pure functions: a step is the next request and what to do with its answer, or
// the end.
namespace usher::gateways {

namespace client = http::client;

template <class End>
struct step {
  using continuation = std::function<step(const client::outcome&)>;

  step(End end) : what{std::move(end)} {}
  step(client::request ask, continuation go_on) : what{std::move(ask)}, then{std::move(go_on)} {}

  std::variant<client::request, End> what;
  continuation then{}; ///< of a request
};

/// Takes the steps to their end. All of ours may be sent again: each has a key, or changes nothing.
template <class End>
void walk(client::sender& out, step<End> next, std::chrono::steady_clock::time_point deadline,
          std::function<void(End)> done) {
  if (auto* end = std::get_if<End>(&next.what))
    return done(std::move(*end));
  auto& ask = std::get<client::request>(next.what);
  ask.idempotent = true;
  ask.deadline = deadline;
  out.send(std::move(ask),
           [&out, deadline, then = std::move(next.then), done = std::move(done)](
               const client::outcome& got) { walk(out, then(got), deadline, done); });
}

} // namespace usher::gateways
