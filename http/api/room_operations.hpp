#pragma once

#include "http/api/routes.hpp"

#include <functional>
#include <utility>

// How the edge hands a room a command of an operator.
namespace usher::http {

/// The answer to a room's no.
[[nodiscard]] response operation_refused(waiting_room::rejection no);

/// Sends the command; `done` gives the answer to success, on any thread. A refusal is answered
/// here.
template <class Command>
void operate(call& at, const shows::show_entry& show, Command what, std::function<response()> done);

void send_operation(call& at, const shows::show_entry& show,
                    std::shared_ptr<waiting_room::operate> asked, std::function<response()> done);

template <class Command>
void operate(call& at, const shows::show_entry& show, Command what,
             std::function<response()> done) {
  auto asked = std::make_shared<waiting_room::operate>();
  asked->what = std::move(what);
  send_operation(at, show, std::move(asked), std::move(done));
}

[[nodiscard]] response no_content();

} // namespace usher::http
