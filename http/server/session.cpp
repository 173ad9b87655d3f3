#include "http/server/session.hpp"

#include "http/server/io_thread.hpp"
#include "http/server/problem.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace usher::http {

session::session(io_thread& thread, socket_type socket, bool loopback)
    : thread_(thread), socket_(std::move(socket)), loopback_(loopback) {}

session::~session() {
  forget_deferred();
}

void session::start() {
  header_timed_ = true;
  thread_.wheel().set(*this, thread_.options().header_deadline);
  read();
}

void session::start_refused() {
  drive(
      answer_and_close(overloaded_response("There are too many connections. Try again shortly.")));
}

void session::deliver(const response& answer) {
  if (state_ != state::answering)
    return;
  send(answer);
  drive(write());
}

void session::drain() {
  if (streams_on()) // a reader that is behind is not waited for
    return drive(state_ == state::streaming ? end_stream() : finish());
  if (state_ == state::header && input_.empty())
    finish();
}

void session::abandon_deferred() {
  if (state_ == state::answering)
    drive(answer_outcome_unknown());
}

// ---- reply: called by the handler inside call_handler; nothing here may end the session

void session::send(const response& answer) {
  if (std::exchange(answered_, true))
    return;
  forget_deferred();
  const auto f = frame();
  const auto size = answer.shared_body ? answer.shared_body->size() : answer.body.size();
  write_head(out_, answer.status, answer.content_type, answer.headers, size, f);
  if (!sends_body(answer.status, f))
    return;
  if (answer.shared_body)
    shared_out_ = answer.shared_body;
  else
    out_ += answer.body;
}

void session::send_json(unsigned status, std::string_view extra_headers, std::string_view body) {
  if (std::exchange(answered_, true))
    return;
  forget_deferred();
  const auto f = frame();
  write_head(out_, status, "application/json", extra_headers, body.size(), f);
  if (sends_body(status, f))
    out_ += body;
}

deferred session::defer() {
  forget_deferred();
  pending_ = std::make_shared<pending_answer>(thread_.completions(), thread_.counts(), *this);
  return deferred(pending_);
}

std::size_t session::io_thread_index() const {
  return thread_.index();
}

void session::at_end_of_turn(std::function<void()> then) {
  boost::asio::post(thread_.context(), std::move(then));
}

framing session::frame() {
  keep_alive_ = keep_alive_ && !thread_.draining();
  return {.date_header = thread_.wheel().date_header(),
          .keep_alive = keep_alive_,
          .http_10 = parser_.is_http_10(),
          .head = head_};
}

void session::forget_deferred() {
  if (pending_)
    pending_->forget();
  pending_.reset();
}

// ---- one request after the other

void session::drive(next n) {
  while (n == next::again)
    n = advance();
  if (n == next::input)
    read();
}

session::next session::advance() {
  if (state_ == state::body)
    return on_body();
  if (input_.empty())
    return thread_.draining() ? linger() : next::input;
  switch (parser_.header(input_.view())) {
  case parser::progress::need_more:
    if (!std::exchange(header_timed_, true))
      thread_.wheel().set(*this, thread_.options().header_deadline);
    return next::input;
  case parser::progress::refused:
    return refuse(parser_.refused());
  case parser::progress::complete:
  case parser::progress::header_done:
    break;
  }
  return on_header();
}

session::next session::on_header() {
  const bool has_body = !parser_.is_complete();
  keep_alive_ = parser_.keep_alive();
  answered_ = false;
  const auto head = view();
  head_ = head.method == method::head;
  route_limits limits;
  try {
    limits = thread_.handler().limits_for(head);
  } catch (...) {
    return answer_and_close(problem_response(500, "internal", "This is a fault of the server."));
  }
  if (limits.refusal) {
    if (has_body) // which is not read: the connection cannot go on
      return answer_and_close(*limits.refusal);
    send(*limits.refusal);
    return write();
  }
  sheddable_ = limits.sheddable;
  if (!has_body)
    return call_handler();
  if (!parser_.limit_body(limits.body_bytes_max))
    return refuse(parser_.refused());
  if (parser_.wants_continue() && input_.size() == parser_.header_size() && !send_continue())
    return finish();
  state_ = state::body;
  phase_start_ = wheel::clock::now();
  return next::again;
}

session::next session::on_body() {
  std::size_t used = 0;
  const auto at = parser_.header_size();
  const auto progress = parser_.body(input_.view(at), used);
  input_.remove(at, used);
  switch (progress) {
  case parser::progress::header_done:
  case parser::progress::need_more:
    break;
  case parser::progress::refused:
    return refuse(parser_.refused());
  case parser::progress::complete:
    return call_handler();
  }
  set_progress_deadline(thread_.options().body_deadline, parser_.body_received(),
                        thread_.options().body_bytes_per_second_min);
  return next::input;
}

session::next session::call_handler() {
  if (sheddable_ && thread_.counts()->in_flight >= thread_.options().in_flight_max) {
    send(overloaded_response("Too much is under way. Try again shortly."));
    return write();
  }
  try {
    thread_.handler().handle(view(), *this);
  } catch (...) {
    // Not answered here: what was deferred may still be answered by whoever holds it.
  }
  if (!answered_ && pending_) {
    state_ = state::answering;
    thread_.wheel().set(*this, thread_.options().answer_deadline);
    return next::wait;
  }
  if (!answered_)
    send(problem_response(500, "internal", "This is a fault of the server."));
  return stream_ ? stream_turn() : write();
}

session::next session::refuse(const refusal& why) {
  return answer_and_close(problem_response(why.status, why.code, why.detail));
}

session::next session::answer_and_close(const response& answer) {
  keep_alive_ = false;
  answered_ = false;
  send(answer);
  return write();
}

session::next session::answer_outcome_unknown() {
  send(problem_response(503, "outcome-unknown",
                        "The outcome is not known. Send the same request with the same "
                        "Idempotency-Key again.",
                        "Retry-After: 2\r\n"));
  return write();
}

/// The buffer is empty then, so 25 bytes fit; a peer for whom they do not is beyond help.
bool session::send_continue() {
  constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  boost::system::error_code ec;
  return socket_.write_some(boost::asio::buffer(go_on), ec) == go_on.size() && !ec;
}

request session::view() const {
  auto r = parser_.view(input_.data());
  r.loopback = loopback_;
  return r;
}

} // namespace usher::http
