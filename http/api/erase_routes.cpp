#include "http/api/fields.hpp"
#include "http/api/routes.hpp"
#include "storage/eraser.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace usher::http {

namespace {

struct wanted_erasure {
  std::optional<std::string> customer;
  std::optional<std::string> email;
};

std::optional<wanted_erasure> read_erasure(call& at) {
  return read_checked(at, [](const json& body, std::vector<fault>& faults) {
    fields from{body, faults};
    from.refuse_others({"customerId", "customerEmail"});
    wanted_erasure wanted;
    wanted.customer = from.text("customerId", customer_id_bytes_max);
    if (wanted.customer && wanted.customer->empty())
      from.add_fault("customerId", "expected a text that is not empty");
    if (from.has("customerEmail"))
      wanted.email = read_email(from);
    if (!from.has("customerId") && !from.has("customerEmail"))
      from.add_fault("customerId", "is missing; customerEmail may be given instead, or both");
    return wanted;
  });
}

storage::erasure_target target_of(const app& with, const wanted_erasure& wanted) {
  storage::erasure_target target;
  target.email = wanted.email;
  if (wanted.customer)
    target.customer = [&with, id = *wanted.customer](const show_id& show) {
      return identity_of(with, show, "customer", id);
    };
  return target;
}

response erased_response(const storage::eraser::outcome& came, const std::string& by) {
  if (const auto* failed = std::get_if<storage::failure>(&came)) {
    spdlog::error("a customer could not be erased: {}", failed->what);
    return problem_response(500, "erasing-failed",
                            "It was not finished: " + failed->what + ". Ask again.");
  }
  const auto& done = std::get<storage::erased_customer>(came);
  spdlog::info("a customer was erased by {}: {} orders, {} keys destroyed, {} fields remain", by,
               done.orders, done.keys_destroyed, done.remaining);
  return json_response(200, {{"orders", done.orders},
                             {"keysDestroyed", done.keys_destroyed},
                             {"remaining", done.remaining}});
}

} // namespace

namespace handlers {

void erase_customer(call& at) {
  const auto wanted = read_erasure(at);
  if (!wanted)
    return;
  if (at.with.eraser == nullptr)
    return send_problem(at, 503, "not-offered", "This server has no eraser.");
  const auto name = joined({wanted->customer ? "id" : "", wanted->customer.value_or(""),
                            wanted->email ? "e-mail" : "", wanted->email.value_or("")});
  const bool taken = at.with.eraser->ask(
      name, target_of(at.with, *wanted),
      [later = at.to.defer(), by = who(*at.from)](const storage::eraser::outcome& came) {
        later.send(erased_response(came, by));
      });
  if (!taken)
    send_problem(at, 503, "overloaded", "Many customers are being erased. Try again later.",
                 ordered_json::object(), "Retry-After: 10\r\n");
}

} // namespace handlers

} // namespace usher::http
