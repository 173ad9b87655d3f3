#pragma once

#include "tests/system/api_client.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// What fans and operators do, as calls of the public API. Each step checks its own answer and
// throws a sentence with what came instead, so that a test says only what it is about.
namespace usher::test {

/// Wants `status`; throws otherwise. Gives the answer back.
api_answer expect(int status, api_answer got, const std::string& what);

/// PUT of a show and opening its room. `show` may leave out title and currency.
void put_show(api_client& as_operator, const std::string& id, json show);
void open_room(api_client& as_operator, const std::string& id);

/// A plan of one block `block` with rows of the given length: seats `A-1` …, `B-1` …
[[nodiscard]] json small_plan(const std::vector<std::string>& rows, int seats_per_row,
                              std::int64_t price_minor = 2500);

/// A room that lets everybody in at once.
[[nodiscard]] json wide_open_room();
/// A room that lets nobody in.
[[nodiscard]] json still_room();

[[nodiscard]] std::string ticket_path(const std::string& show, const std::string& ticket);

/// A new ticket, whatever its status.
std::string join(api_client& fan, const std::string& show, const header_map& headers = {});

/// Asks until the ticket is admitted, a minute at most.
api_answer wait_until_admitted(api_client& fan, const std::string& show, const std::string& ticket);
std::string join_and_wait(api_client& fan, const std::string& show);

/// The answer of POST …/holds, unchecked.
api_answer ask_for_seats(api_client& fan, const std::string& show, const std::string& ticket,
                         const std::vector<std::string>& seats, const std::string& key = {});

/// The answers of the order and pay calls, unchecked.
api_answer place_order(api_client& fan, const std::string& ticket, const std::string& hold,
                       const std::string& key);
api_answer pay(api_client& fan, const std::string& order, const std::string& key);

/// Seat id to state, from the seat map.
std::map<std::string, std::string> seat_map(api_client& fan, const std::string& show);

/// Asks until it is so, a minute at most: for displays that may be late, never as a proof of order.
bool eventually(const std::function<bool()>& it_is_so);

/// The arrival number inside a ticket, counted from 0.
[[nodiscard]] std::uint32_t slot_of(const std::string& ticket);

/// USHER_SEED from the environment, or `usual`. Printed.
[[nodiscard]] std::uint64_t seed_of_run(std::uint64_t usual);

} // namespace usher::test
