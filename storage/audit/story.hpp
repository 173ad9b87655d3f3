#pragma once

#include "storage/audit/reader.hpp"

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// The story of one thing: every event about it, in order.
namespace usher::storage::audit {

/// One thing of one show. The show is named by id, or by number, or not at all.
struct story_of {
  std::variant<std::monostate, show_id, show_number> show;
  std::variant<seat_id, slot_t, hold_id, order_id> what;
};

struct story_line {
  position_t position = 0;
  time_ms at = 0;
  std::string type;
  storage::cause cause;
  std::string sentence;
};

struct story {
  show_id show; ///< empty: the cashier
  std::vector<story_line> lines;
};

/// Hears how far it is: the log is read twice, so it counts to twice its last position.
using reached_fn = std::function<void(position_t)>;

/// Reads the log once to find the show and what belongs together (a hold and its order), and again
/// to tell. A failure if the log cannot be read, if there is no such thing, or if the show is left
/// out and more than one has it.
[[nodiscard]] std::variant<story, failure> tell(const event_log& log, const story_of& about,
                                                reached_fn reached = {});

/// What a customer has in one show.
struct customer_in_show {
  identity who; ///< as the show's events have it
  std::vector<slot_t> tickets;
  story told;
};

using identity_in = std::function<identity(const show_id&)>;
/// The sealed personal data of an order as it is to be shown: opened, or a word that says why not.
using personal_text =
    std::function<std::string(const show_id&, const orders::event::order_placed&)>;

/// The same for a customer, over all shows or in one: their places in the queues, and the holds,
/// orders, payments and refunds that belong to these. Without `open` personal data is `sealed`.
[[nodiscard]] std::variant<std::vector<customer_in_show>, failure>
tell_customer(const event_log& log, const std::optional<show_id>& show, const identity_in& who,
              const personal_text& open, reached_fn reached = {});

void write_story(std::ostream& out, const story& what, bool as_json);
void write_customer(std::ostream& out, const std::vector<customer_in_show>& all, bool as_json);

} // namespace usher::storage::audit
