#pragma once

#include "http/api/routes.hpp"

#include <string>
#include <string_view>

// What a fan is told of a ticket: the answer to join and poll, and what a stream sends.
namespace usher::http {

/// The body of an answer and what goes into its header: written by hand, it is the hot path.
struct ticket_answer {
  unsigned status = 200;
  std::string headers;
  std::string body;
};

/// What the board says of a ticket, with a deadline that has passed judged as an end. A live ticket
/// counts as heard of. `unknown` if it is not one of this show.
[[nodiscard]] waiting_room::ticket_view look_at(const app& with, const shows::show_entry& show,
                                                std::string_view id);

[[nodiscard]] waiting_room::ticket_view look_at(const app& with, const shows::show_entry& show,
                                                slot_t slot, std::uint64_t nonce);

/// 200 PREQUEUE, WAITING or ADMITTED; 410 with the reason; 404 UNKNOWN. The drop-in paths know no
/// PREQUEUE: there it is WAITING. On the drop-in paths
/// everything that is neither waiting nor admitted is 404.
[[nodiscard]] ticket_answer answer_for(const shows::show_entry& show, std::string_view id,
                                       const waiting_room::ticket_view& view, time_ms now,
                                       bool drop_in);

/// The answer to a join that the room refused.
[[nodiscard]] response join_refused(waiting_room::rejection no, const shows::show_entry& show,
                                    time_ms now);

[[nodiscard]] ticket_answer unknown_ticket(std::string_view id);

[[nodiscard]] response to_response(ticket_answer answer);

} // namespace usher::http
