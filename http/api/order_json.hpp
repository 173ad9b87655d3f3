#pragma once

#include "actors/orders/calls.hpp"
#include "http/api/app.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

// An order as the API shows it. Nothing in it is personal, so whoever has the id may read it; only
// add_customer adds what is.
namespace usher::http {

using ordered_json = nlohmann::ordered_json;

/// `drop_in`: as the front ends of the usual designs know it.
[[nodiscard]] ordered_json order_json(const app& with, const shows::show_entry& show,
                                      const orders::order_view& view, bool drop_in);

/// For the seller's staff: `customerEmail`, null if there is none; with `customerErased` true, or
/// with `customerUnreadable` and why. Reads a key from disk.
void add_customer(ordered_json& body, const storage::personal_data& opens,
                  const orders::order_view& view);

/// Its attempts to pay, and money reported from outside. `number` is the show's, or the cashier's.
[[nodiscard]] ordered_json payments_json(const orders::order& order, show_number number);
[[nodiscard]] ordered_json refunds_json(const orders::order& order, show_number number);

/// What happened to it, in order.
[[nodiscard]] ordered_json history_json(const orders::order& order);

/// `UNKNOWN`, `APPROVED`, `DECLINED`, `FAILED`, `NOT_SENT`, `VOIDED`.
[[nodiscard]] std::string_view status_text(const orders::payment& attempt);

} // namespace usher::http
