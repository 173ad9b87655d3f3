#pragma once

#include "storage/memory_log.hpp"
#include "tests/storage/power_cut.hpp"
#include "tests/storage/support.hpp"

#include <boost/mpl/list.hpp>

// Logs to run the contract of event_log against. Each has a few verbs: the log, losing the process
// and coming back, failing the next append.
namespace usher::storage::test {

struct in_memory {
  event_log& log() { return log_; }
  void come_back() { log_.crash(); }
  void fail_next() { log_.fail_append(1); }

  memory_log log_;
};

struct in_memory_written {
  event_log& log() { return log_; }
  void come_back() { log_.crash(); }
  void fail_next() { log_.fail_append(1, failed_append::written); }

  memory_log log_;
};

struct on_disk {
  event_log& log() { return *opened_.log; }
  void come_back() {
    opened_.log.reset();
    opened_.directory.reset();
    world_.files->fail_syncs(false);
    opened_ = open_at(place_.data(), {.env = world_.env.get()});
  }
  void fail_next() { world_.files->fail_syncs(true); }

  scratch place_;
  power_cut_world world_;
  open_log opened_ = open_at(place_.data(), {.env = world_.env.get()});
};

using logs = boost::mpl::list<in_memory, in_memory_written, on_disk>;

} // namespace usher::storage::test
