#pragma once

#include "http/server/event_stream.hpp"
#include "http/server/exchange.hpp"
#include "http/server/input_buffer.hpp"
#include "http/server/parser.hpp"
#include "http/server/response_writer.hpp"
#include "http/server/wheel.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

namespace usher::http {

class io_thread;
class pending_answer;

/// One connection, from accept to close. Lives in its I/O thread's list and on that thread only.
/// Requests are answered in order: the next one is not parsed before the last answer is written.
/// At most one read or one write is under way; with a stream, one of each.
class session final : private reply, private timed {
public:
  using socket_type = boost::asio::basic_stream_socket<boost::asio::ip::tcp,
                                                       boost::asio::io_context::executor_type>;

  session(io_thread& thread, socket_type socket, bool loopback);
  ~session() override;

  /// Each of these may end the session, that is, destroy it.
  void start();
  void start_refused();                 ///< too many connections: says 503 and closes
  void deliver(const response& answer); ///< the deferred answer has come
  void drain();            ///< no further requests; answers what has begun, but ends a stream
  void abandon_deferred(); ///< the server ends: outcome-unknown for whoever still waits

  std::list<session>::iterator self; ///< set and used by the I/O thread, as is:
  bool over_cap = false;             ///< one of those that only hear 503

private:
  enum class state : std::uint8_t {
    header,
    body,
    answering,
    writing,
    streaming, ///< between two turns of a stream; one that is being written is `writing`
    lingering
  };
  /// What is to be done after a step: gone means that this object is no more.
  enum class next : std::uint8_t { again, input, wait, gone };

  // reply
  void send(const response& answer) override;
  void send_json(unsigned status, std::string_view extra_headers, std::string_view body) override;
  void send_stream(std::unique_ptr<event_source> source) override;
  deferred defer() override;
  [[nodiscard]] std::size_t io_thread_index() const override;
  void at_end_of_turn(std::function<void()> then) override;

  // timed
  void expire() override;

  void drive(next n);
  next advance();
  next on_header();
  next on_body();
  next call_handler();
  next refuse(const refusal& why);
  next answer_and_close(const response& answer);
  next answer_outcome_unknown();
  bool send_continue();

  void read();
  void on_read(boost::system::error_code ec, std::size_t n);
  next write();
  next write_rest();
  next after_write();
  next linger();
  next finish();
  void leave();

  // session_stream.cpp
  next stream_turn();
  next await_turn();
  next end_stream();
  void watch();
  void on_watch(boost::system::error_code ec);
  void read_while_streaming();
  [[nodiscard]] bool streams_on() const { return stream_ != nullptr && !stream_->ended(); }

  framing frame();
  void forget_deferred();
  void set_progress_deadline(std::chrono::milliseconds base, std::size_t done_bytes,
                             std::size_t bytes_per_second_min);
  std::size_t write_some(boost::system::error_code& ec);
  [[nodiscard]] std::size_t answer_bytes() const;
  [[nodiscard]] request view() const;

  io_thread& thread_;
  socket_type socket_;
  parser parser_;
  input_buffer input_;
  std::string out_;                               ///< header and body of the answer being written
  std::shared_ptr<const std::string> shared_out_; ///< its body, if it is a shared one
  std::size_t out_sent_ = 0;
  std::size_t lingered_bytes_ = 0;
  wheel::clock::time_point phase_start_; ///< of the present body or of a write that had to wait
  std::shared_ptr<pending_answer> pending_;
  std::unique_ptr<event_stream> stream_; ///< the answer being sent, if it is one
  state state_ = state::header;
  bool loopback_;
  bool head_ = false;
  bool keep_alive_ = true; ///< of the request being answered
  bool sheddable_ = true;
  bool answered_ = false;
  bool header_timed_ = false; ///< the header's deadline runs, no longer the idle one
  bool expired_ = false;      ///< a read was cancelled by the deadline
  bool closing_ = false;
  bool reading_ = false; ///< an operation is under way whose handler will come; a watch too
  bool writing_ = false;
};

} // namespace usher::http
