#pragma once

#include "actors/shows/registry.hpp"
#include "http/server/exchange.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace usher::http {

/// One join on its way: who, and what to do with the answer (any thread, must not block).
struct join_wish {
  waiting_room::command::joiner fan;
  std::function<void(const waiting_room::join_answer&)> done;
};

/// Gathers the joins that one I/O thread reads in one turn of its loop, and sends each room one
/// message: this is what makes a durable join cheap. Fans of one thread keep their order.
class join_desks {
public:
  explicit join_desks(std::size_t io_threads) : desks_(io_threads) {}

  /// On the I/O thread of `on`. `who` is the cause that the log keeps for joins of this kind.
  void add(reply& on, shows::show_entry& show, const std::string& who, join_wish wish);

private:
  struct key {
    shows::show_entry* show;
    std::string who;
    auto operator<=>(const key&) const = default;
  };
  struct desk {
    std::map<key, std::vector<join_wish>> wishes;
    bool flush_due = false;
  };
  static void flush(desk& of);

  std::vector<desk> desks_; ///< one per I/O thread, touched by that thread only
};

} // namespace usher::http
