#include "actors/journal/actor.hpp"

#include "actors/runtime/fail_stop.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <iterator>
#include <utility>

namespace usher::journal {

namespace {

/// Commits `group` as one batch; true when it is durable.
bool commit(storage::event_log& log, const std::vector<append_ptr>& group, const on_failure& fail) {
  std::vector<storage::record> records;
  for (const auto& one : group)
    for (auto& made : one->entries)
      records.push_back(std::move(made.record));
  if (records.empty())
    return true;
  if (const auto failed = log.append(records)) {
    fail(*failed);
    return false;
  }
  return true;
}

/// First everything becomes visible, then everybody is told: a reply never runs ahead of a board.
void announce(const std::vector<append_ptr>& group) {
  for (const auto& one : group)
    for (const auto& made : one->entries)
      if (made.publish)
        made.publish();
  for (const auto& one : group)
    if (one->then)
      one->then();
}

std::size_t bytes_of(const append& one) {
  std::size_t bytes = 0;
  for (const auto& made : one.entries)
    bytes += made.record.data.size();
  return bytes;
}

/// Takes from the front of `pending` what fits into one batch (at least one append).
std::vector<append_ptr> take_group(std::vector<append_ptr>& pending) {
  std::size_t records = 0;
  std::size_t bytes = 0;
  auto end = pending.begin();
  for (; end != pending.end(); ++end) {
    records += (*end)->entries.size();
    bytes += bytes_of(**end);
    if (end != pending.begin() && (records > batch_records_max || bytes > batch_bytes_max))
      break;
  }
  std::vector<append_ptr> group{std::make_move_iterator(pending.begin()),
                                std::make_move_iterator(end)};
  pending.erase(pending.begin(), end);
  return group;
}

} // namespace

actor::behavior_type journal_actor(actor::stateful_pointer<state> self, storage::event_log* log,
                                   on_failure fail) {
  runtime::stop_process_on_exception(self, state::name);
  return {
      [self](const append_ptr& wanted) {
        self->state.pending.push_back(wanted);
        // The flush stands behind everything that waits in the mailbox now, and so gathers it.
        if (!std::exchange(self->state.flush_sent, true))
          self->send(self, flush_atom::value);
      },
      [self, log, fail = std::move(fail)](flush_atom) {
        self->state.flush_sent = false;
        while (!self->state.pending.empty()) {
          const auto group = take_group(self->state.pending);
          if (!commit(*log, group, fail)) {
            self->quit(caf::exit_reason::unhandled_exception);
            return;
          }
          announce(group);
        }
      },
  };
}

} // namespace usher::journal
