#pragma once

#include "storage/record.hpp"

#include <caf/allowed_unsafe_message_type.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace usher::journal {

/// A record and what makes it visible. `publish` runs on the journal's thread after the commit and
/// before any reply: it writes to the read side (boards) and must neither block nor throw.
struct entry {
  storage::record record;
  std::function<void()> publish;
};

/// Something for the log. No entries: a barrier, for a reply that tells what others have decided.
/// `then` runs on the journal's thread once all that was appended before, and the entries, are
/// durable and published. If that never happens the process ends and `then` is never called.
struct append {
  std::vector<entry> entries;
  std::function<void()> then;
};

/// The message to the journal. One per append, moved from by the journal.
using append_ptr = std::shared_ptr<append>;

[[nodiscard]] inline append_ptr make_append(std::vector<entry> entries,
                                            std::function<void()> then) {
  return std::make_shared<append>(append{std::move(entries), std::move(then)});
}

/// For a reply that waits for what others have made durable.
[[nodiscard]] inline append_ptr make_barrier(std::function<void()> then) {
  return make_append({}, std::move(then));
}

} // namespace usher::journal

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::journal::append_ptr)
