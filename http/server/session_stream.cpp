#include "http/server/io_thread.hpp"
#include "http/server/problem.hpp"
#include "http/server/session.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <utility>

// The part of a session that sends a stream of events. Turns are written like any answer, with the
// write deadline; meanwhile a watch looks at what comes in, since that is how a peer says goodbye.
namespace usher::http {

void session::send_stream(std::unique_ptr<event_source> source) {
  if (answered_)
    return;
  if (thread_.counts()->streams >= thread_.options().streams_max)
    return send(overloaded_response("There are too many streams. Poll instead."));
  answered_ = true;
  forget_deferred();
  keep_alive_ = keep_alive_ && !parser_.is_http_10(); // there only the close ends it
  const auto f = frame();
  write_stream_head(out_, f);
  if (!f.head)
    stream_ = std::make_unique<event_stream>(std::move(source), *thread_.counts(),
                                             thread_.options(), !f.http_10, wheel::clock::now());
}

session::next session::stream_turn() {
  if (!reading_)
    watch();
  stream_->turn(out_, wheel::clock::now());
  return write();
}

/// A turn is written, or was empty.
session::next session::await_turn() {
  if (thread_.draining())
    return end_stream();
  state_ = state::streaming;
  thread_.wheel().set(*this, stream_->wait(wheel::clock::now()));
  return next::wait;
}

session::next session::end_stream() {
  keep_alive_ = false;
  stream_->end(out_);
  return write();
}

/// Waits for input without a buffer for it, which may move while the wait lasts. It may outlast the
/// stream, and then stands for the next read.
void session::watch() {
  reading_ = true;
  socket_.async_wait(socket_type::wait_read, [this](boost::system::error_code ec) {
    reading_ = false;
    on_watch(ec);
  });
}

void session::on_watch(boost::system::error_code ec) {
  if (closing_)
    return leave();
  if (stream_)
    return read_while_streaming();
  if (state_ != state::answering && state_ != state::writing) // those read when they are done
    on_read(ec, 0);
}

void session::read_while_streaming() {
  constexpr std::size_t read_bytes_min = 512;
  char* to = input_.make_room(read_bytes_min);
  boost::system::error_code ec;
  input_.added(socket_.read_some(boost::asio::buffer(to, input_.room()), ec));
  const bool too_much = input_.size() > parser_.header_size() + stream_input_bytes_max;
  if (too_much || (ec && ec != boost::asio::error::would_block))
    finish();
  else
    watch();
}

} // namespace usher::http
