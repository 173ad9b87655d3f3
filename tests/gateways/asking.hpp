#pragma once

#include "http/client/message.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>

// Asking another server and waiting for what becomes of it.
namespace usher::test {

namespace client = http::client;

inline std::chrono::steady_clock::time_point within(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

/// Long enough that only a fault of the client can use it up.
inline constexpr std::chrono::seconds patience{20};

inline std::future<client::outcome> ask_later(client::sender& whom, client::request what) {
  auto told = std::make_shared<std::promise<client::outcome>>();
  auto later = told->get_future();
  // A second call throws std::future_error, which ends the test program.
  whom.send(std::move(what), [told](client::outcome got) { told->set_value(std::move(got)); });
  return later;
}

template <class T>
T wait_for(std::future<T>& later) {
  if (later.wait_for(patience) != std::future_status::ready)
    throw std::runtime_error("nothing was told");
  return later.get();
}

inline client::outcome ask(client::sender& whom, client::request what) {
  auto later = ask_later(whom, std::move(what));
  return wait_for(later);
}

/// "200 body", "not_sent: why" or "unknown: why".
inline std::string text_of(const client::outcome& got) {
  if (const auto* answer = std::get_if<client::answer>(&got))
    return std::to_string(answer->status) + " " + answer->body;
  const auto& failed = std::get<client::failure>(got);
  return (failed.kind == client::fault::not_sent ? "not_sent: " : "unknown: ") + failed.why;
}

} // namespace usher::test
