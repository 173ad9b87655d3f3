#include "http/server/io_thread.hpp"
#include "http/server/session.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <utility>

// A session's bytes in and out, and its deadlines.
namespace usher::http {
namespace {

constexpr std::size_t out_capacity_kept = std::size_t{16} * 1024;
constexpr std::size_t header_read_bytes_min = 512;
constexpr std::size_t body_read_bytes_min = std::size_t{16} * 1024;
/// What a peer may still send after the last answer; then it is cut off.
constexpr std::size_t linger_bytes_max = std::size_t{256} * 1024;

} // namespace

// ---- bytes in

void session::read() {
  if (reading_)
    return; // the watch of a stream that has ended: it goes on to on_read
  const auto wanted = state_ == state::body ? body_read_bytes_min : header_read_bytes_min;
  char* to = input_.make_room(wanted);
  reading_ = true;
  socket_.async_read_some(boost::asio::buffer(to, input_.room()),
                          [this](boost::system::error_code ec, std::size_t n) {
                            reading_ = false;
                            on_read(ec, n);
                          });
}

void session::on_read(boost::system::error_code ec, std::size_t n) {
  if (closing_)
    return leave();
  if (state_ == state::lingering) {
    lingered_bytes_ += n;
    if (ec || lingered_bytes_ > linger_bytes_max)
      finish();
    else
      read();
    return;
  }
  if (std::exchange(expired_, false)) {
    drive(refuse({408, "request-timeout", "The request did not arrive in time."}));
    return;
  }
  if (ec) {
    finish();
    return;
  }
  input_.added(n);
  drive(next::again);
}

// ---- bytes out

session::next session::write() {
  state_ = state::writing;
  out_sent_ = 0;
  return write_rest();
}

std::size_t session::answer_bytes() const {
  return out_.size() + (shared_out_ ? shared_out_->size() : 0);
}

std::size_t session::write_some(boost::system::error_code& ec) {
  using boost::asio::buffer;
  if (!shared_out_)
    return socket_.write_some(buffer(out_.data() + out_sent_, out_.size() - out_sent_), ec);
  if (out_sent_ >= out_.size())
    return socket_.write_some(buffer(*shared_out_) + (out_sent_ - out_.size()), ec);
  const std::array<boost::asio::const_buffer, 2> both{buffer(out_) + out_sent_,
                                                      buffer(*shared_out_)};
  return socket_.write_some(both, ec);
}

/// Tried at once, which nearly always does; only a full socket is waited for.
session::next session::write_rest() {
  boost::system::error_code ec;
  const bool waited = out_sent_ != 0;
  while (out_sent_ < answer_bytes()) {
    out_sent_ += write_some(ec);
    if (ec == boost::asio::error::would_block)
      break;
    if (ec)
      return finish();
  }
  if (out_sent_ == answer_bytes())
    return after_write();
  if (!waited)
    phase_start_ = wheel::clock::now();
  set_progress_deadline(thread_.options().write_deadline, out_sent_,
                        thread_.options().write_bytes_per_second_min);
  writing_ = true;
  socket_.async_wait(socket_type::wait_write, [this](boost::system::error_code failed) {
    writing_ = false;
    if (closing_)
      return leave();
    drive(failed ? finish() : write_rest());
  });
  return next::wait;
}

session::next session::after_write() {
  out_.clear();
  if (out_.capacity() > out_capacity_kept)
    out_.shrink_to_fit();
  shared_out_.reset();
  if (streams_on())
    return await_turn();
  stream_.reset();
  if (!keep_alive_)
    return linger();
  input_.remove(0, parser_.header_size());
  input_.shrink();
  parser_.reset();
  state_ = state::header;
  header_timed_ = false;
  thread_.wheel().set(*this, thread_.options().idle_deadline);
  return next::again;
}

/// Closing with unread input would reset the connection, and the last answer might be lost on the
/// way: so say that nothing more comes, and read on for a little while.
session::next session::linger() {
  boost::system::error_code ec;
  socket_.shutdown(socket_type::shutdown_send, ec);
  state_ = state::lingering;
  input_.clear();
  thread_.wheel().set(*this, thread_.options().linger_deadline);
  return ec ? finish() : next::input;
}

session::next session::finish() {
  if (std::exchange(closing_, true))
    return next::gone;
  boost::system::error_code ec;
  socket_.close(ec);
  leave();
  return next::gone;
}

/// The last operation of a closed session takes it away.
void session::leave() {
  if (!reading_ && !writing_)
    thread_.remove(*this);
}

// ---- deadlines

void session::set_progress_deadline(std::chrono::milliseconds base, std::size_t done_bytes,
                                    std::size_t bytes_per_second_min) {
  using std::chrono::milliseconds;
  const milliseconds earned(bytes_per_second_min == 0 ? 0
                                                      : done_bytes * 1000 / bytes_per_second_min);
  const auto spent = std::chrono::duration_cast<milliseconds>(wheel::clock::now() - phase_start_);
  thread_.wheel().set(*this, std::max(base + earned - spent, milliseconds(0)));
}

void session::expire() {
  boost::system::error_code ec;
  switch (state_) {
  case state::header:
    if (input_.empty()) {
      finish();
      return;
    }
    [[fallthrough]];
  case state::body:
    expired_ = true; // the read's handler goes on
    socket_.cancel(ec);
    return;
  case state::answering:
    return drive(answer_outcome_unknown());
  case state::writing:
    // A slow reader: no orphan of the kernel's shall keep its bytes either.
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ec);
    finish();
    return;
  case state::streaming:
    return drive(stream_turn());
  case state::lingering:
    finish();
    return;
  }
}

} // namespace usher::http
