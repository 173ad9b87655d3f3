#include "bench/load/connection.hpp"

#include <cassert>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace usher::load {

namespace {

std::string_view why_not(int error) {
  switch (error) {
  case ECONNREFUSED:
    return "connection refused";
  case ECONNRESET:
  case EPIPE:
    return "the server cut the connection";
  case EADDRNOTAVAIL:
    return "no port is free for another connection";
  case EMFILE:
    return "no more files may be open";
  case ETIMEDOUT:
    return "the connection timed out";
  default:
    return "no connection";
  }
}

} // namespace

void connection::watch(std::uint32_t events, int how) {
  epoll_event asked{};
  asked.events = events;
  asked.data.ptr = this;
  ::epoll_ctl(epoll_, how, socket_, &asked);
}

std::string_view connection::open(const target& to, int epoll, time_ns now) {
  assert(state_ == state::closed);
  socket_ = ::socket(to.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0)
    return why_not(errno);
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&to.address), to.address_bytes) != 0 &&
      errno != EINPROGRESS) {
    const auto why = why_not(errno);
    close();
    return why;
  }
  epoll_ = epoll;
  state_ = state::opening;
  since = now;
  watch(EPOLLOUT, EPOLL_CTL_ADD);
  return {};
}

std::string_view connection::opened(time_ns now) {
  int error = 0;
  socklen_t bytes = sizeof error;
  ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &bytes);
  if (error != 0) {
    close();
    return why_not(error);
  }
  state_ = state::free;
  since = now;
  watch(EPOLLIN, EPOLL_CTL_MOD);
  return {};
}

void connection::close() {
  if (socket_ >= 0)
    ::close(socket_);
  socket_ = -1;
  state_ = state::closed;
  unsent_ = 0;
  waits_to_write_ = false;
  reader_.reset();
}

std::string_view connection::send(const task& what, time_ns now) {
  assert(state_ == state::free);
  work = what;
  has_work = true;
  state_ = state::busy;
  since = now;
  unsent_ = request.size();
  return send_rest();
}

std::string_view connection::send_rest() {
  while (unsent_ > 0) {
    const auto gone =
        ::send(socket_, request.data() + (request.size() - unsent_), unsent_, MSG_NOSIGNAL);
    if (gone < 0 && errno == EINTR)
      continue;
    if (gone < 0 && errno != EAGAIN)
      return why_not(errno);
    if (gone < 0) {
      waits_to_write_ = true;
      watch(EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
      return {};
    }
    unsent_ -= static_cast<std::size_t>(gone);
  }
  if (waits_to_write_) {
    waits_to_write_ = false;
    watch(EPOLLIN, EPOLL_CTL_MOD);
  }
  return {};
}

connection::heard connection::receive(std::string& scratch, time_ns now) {
  const auto came = ::recv(socket_, scratch.data(), scratch.size(), 0);
  if (came < 0 && (errno == EAGAIN || errno == EINTR))
    return heard::nothing;
  if (came <= 0) {
    why_ = came < 0 ? why_not(errno) : "the server closed instead of answering";
    return heard::lost;
  }
  if (state_ != state::busy) {
    why_ = "bytes that nobody asked for";
    return heard::lost;
  }
  switch (reader_.feed({scratch.data(), static_cast<std::size_t>(came)})) {
  case answer_reader::state::more:
    return heard::nothing;
  case answer_reader::state::wrong:
    why_ = reader_.why();
    return heard::lost;
  case answer_reader::state::complete:
    break;
  }
  state_ = state::free;
  since = now;
  return heard::answer;
}

} // namespace usher::load
