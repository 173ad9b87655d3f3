#include "tests/storage/audit_cases.hpp"

namespace usher::storage::test {

using audit::fault;
using payments::breaker_status;
using payments::event::breaker_changed;

namespace {

constexpr duration_ms open_ms = 20'000;

breaker_changed opened(time_ms later, std::uint32_t failures = 5, std::uint32_t calls = 10) {
  return {"STRIPE", breaker_status::closed, breaker_status::open, start_ms + later + open_ms, calls,
          failures, "failed: 500"};
}
breaker_changed opened_again(time_ms later, std::uint32_t failures, std::uint32_t calls) {
  auto e = opened(later, failures, calls);
  e.from = breaker_status::half_open;
  return e;
}
breaker_changed tried() {
  return {"STRIPE", breaker_status::open, breaker_status::half_open};
}
breaker_changed closed(std::uint32_t failures = 0, std::uint32_t calls = 3) {
  return {"STRIPE", breaker_status::half_open, breaker_status::closed, 0, calls, failures};
}
template <class Change>
breaker_changed but(breaker_changed e, Change change) {
  change(e);
  return e;
}

script until_open() {
  return {{gateway(1000, opened(1000))}};
}
script until_tried() {
  return until_open() + script{{gateway(1000 + open_ms, tried())}};
}

fault_case wrongly(std::string how, script before, time_ms later, const breaker_changed& e) {
  return {fault::breaker_changed_wrongly, std::move(how),
          std::move(before) + script{{bad(gateway(later, e))}}};
}
fault_case opened_wrongly(std::string how, script before, time_ms later, const breaker_changed& e) {
  return {fault::breaker_opened_wrongly, std::move(how),
          std::move(before) + script{{bad(gateway(later, e))}}};
}

} // namespace

script gateways_as_allowed() {
  const auto again = 1000 + open_ms;
  return until_tried() +
         script{
             {gateway(again + 1, opened_again(again + 1, 1, 1))},
             {gateway(again + 1 + open_ms, tried())},
             {gateway(again + 2 + open_ms, opened_again(again + 2 + open_ms, 1, 3))},
             {gateway(90'000, tried())},
             {gateway(90'001, closed())},
             {gateway(90'002, opened(90'002, 10))},
             {gateway(1000, but(opened(1000), [](auto& e) { e.gateway = "PAYPAL"; }), "PAYPAL")}};
}

std::vector<fault_case> gateway_cases() {
  using status = breaker_status;
  const auto late = 1000 + open_ms;
  return {
      wrongly("trials of a closed one", {}, 1000, tried()),
      wrongly("a closed one closes", {}, 1000, closed()),
      wrongly("opened while open", until_open(), 2000, opened(2000)),
      wrongly("opened by trials while open", until_open(), 2000, opened_again(2000, 1, 1)),
      wrongly("from closed to half open", {}, 1000,
              but(tried(), [](auto& e) { e.from = status::closed; })),
      wrongly("from open to closed", until_open(), late,
              but(closed(), [](auto& e) { e.from = status::open; })),
      wrongly("half open again", until_tried(), late,
              but(tried(), [](auto& e) { e.from = status::half_open; })),
      wrongly("another gateway's", {}, 1000,
              but(opened(1000), [](auto& e) { e.gateway = "PAYPAL"; })),
      wrongly("closed after two trials", until_tried(), late, closed(0, 2)),
      wrongly("closed after a bad one", until_tried(), late, closed(1, 3)),
      wrongly("closed until some time", until_tried(), late,
              but(closed(), [](auto& e) { e.until = start_ms + 99'000; })),
      wrongly("trials with a reason", until_open(), late,
              but(tried(), [](auto& e) { e.why = "because"; })),
      wrongly("a reason that is too long", {}, 1000,
              but(opened(1000), [](auto& e) { e.why.assign(201, 'e'); })),
      opened_wrongly("fewer than half", {}, 1000, opened(1000, 4)),
      opened_wrongly("before the window was full", {}, 1000, opened(1000, 9, 9)),
      opened_wrongly("more failures than calls", {}, 1000, opened(1000, 11)),
      opened_wrongly("no longer than now", {}, 1000,
                     but(opened(1000), [](auto& e) { e.until = start_ms + 1000; })),
      opened_wrongly("again without a bad trial", until_tried(), late, opened_again(late, 0, 2)),
      opened_wrongly("again after four trials", until_tried(), late, opened_again(late, 1, 4)),
      {fault::breaker_tried_early, "a millisecond",
       until_open() + script{{bad(gateway(late - 1, tried()))}}},
  };
}

} // namespace usher::storage::test
