#include "storage/audit/summary.hpp"

#include "storage/audit/money_sums.hpp"
#include "storage/audit/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace usher::storage::audit {

namespace {

using json = nlohmann::ordered_json;

template <class Number>
json or_null(const std::optional<Number>& value) {
  return value ? json(*value) : json(nullptr);
}

json settings_json(const waiting_room::settings& set) {
  return {{"admitPerSecondMicro", set.admit_per_second_micro},
          {"maxActive", or_null(set.max_active)},
          {"maxPerTick", or_null(set.max_per_tick)},
          {"tickMs", set.tick_ms},
          {"admissionTtlMs", set.admission_ttl_ms},
          {"maxQueue", set.max_queue},
          {"idleTimeoutMs", or_null(set.idle_timeout_ms)},
          {"fixedLength", set.fixed_length},
          {"opensAt", set.opens_at ? json(time_text(*set.opens_at)) : json(nullptr)},
          {"prequeueMs", set.prequeue_ms},
          {"absentAfterMs", set.absent_after_ms},
          {"claimTtlMs", set.claim_ttl_ms},
          {"reentryGraceMs", or_null(set.reentry_grace_ms)},
          {"proofOfWork", set.proof_of_work},
          {"tiers", set.tiers},
          {"beacon", set.beacon ? json{{"name", set.beacon->name}, {"round", set.beacon->round}}
                                : json(nullptr)}};
}

json tiers_json(const room& it) {
  auto all = json::array();
  const auto waiting = it.waiting_by_tier();
  for (std::size_t tier = 0; tier < it.general_tier(); ++tier)
    all.push_back({{"tier", it.set.tiers[tier]}, {"waiting", waiting[tier].size()}});
  all.push_back({{"tier", nullptr}, {"waiting", waiting[it.general_tier()].size()}});
  return all;
}

json room_json(const room& it) {
  const auto used = std::ranges::count_if(
      it.codes, [](const auto& code) { return code.second.used_by.has_value(); });
  return {{"state", status_of(it)},
          {"waiting", it.waiting},
          {"passedOver", it.claims.size()},
          {"active", it.active.size()},
          {"joined", it.joined()},
          {"stock", to_string(it.left)},
          {"tiers", tiers_json(it)},
          {"codes", {{"added", it.codes.size()}, {"used", used}}},
          {"settings", settings_json(it.set)}};
}

json block_json(const block_id& id, const block& it, time_ms at) {
  const auto count = [&](seat_state state) { return it.counts[static_cast<std::size_t>(state)]; };
  const auto over = static_cast<std::size_t>(std::ranges::count_if(it.seats, [&](const auto& one) {
    return one.second.is == seat_state::held && at >= one.second.until;
  }));
  return {{"id", id},
          {"available", count(seat_state::available) + over},
          {"held", count(seat_state::held) - over},
          {"sold", count(seat_state::sold)},
          {"blocked", count(seat_state::blocked)}};
}

bool is_live(const show& where, const hold& it, time_ms at) {
  if (it.ended || it.sold)
    return false;
  const auto its_order = where.orders.find(it.order);
  return at < it.until || (its_order != where.orders.end() && its_order->second.is_open(at));
}

/// What the seats cost that an order returned.
std::int64_t returned_minor(const show& where, const order& it) {
  std::int64_t sum = 0;
  if (const auto its = where.holds.find(it.hold); its != where.holds.end())
    for (const auto& seat : its->second.seats)
      sum += seat.returned ? seat.price_minor : 0;
  return sum;
}

json money_json(const show& where) {
  money_by_currency sums;
  add_money(sums, where);
  std::map<std::string, std::int64_t> returned;
  for (const auto& [id, it] : where.orders)
    returned[it.total.currency] += returned_minor(where, it);
  auto all = json::array();
  for (const auto& [currency, sum] : sums)
    all.push_back({{"currency", currency},
                   {"inMinor", sum.in},
                   {"takenMinor", sum.sold},
                   {"refundDueMinor", sum.owed},
                   {"refundedMinor", sum.refunded},
                   {"returnedMinor", returned[currency]}});
  return all;
}

json orders_json(const show& where) {
  auto counts = json::object();
  for (const auto state : {order_state::pending, order_state::paying, order_state::paid,
                           order_state::partly_refunded, order_state::refunded,
                           order_state::refund_due, order_state::expired, order_state::cancelled})
    counts[std::string{to_string(state)}] = 0;
  for (const auto& [id, it] : where.orders) {
    auto& count = counts[std::string{to_string(it.is)}];
    count = count.get<std::size_t>() + 1;
  }
  return counts;
}

json show_json(const show_id& id, const show& it, time_ms at) {
  auto blocks = json::array();
  for (const auto& [name, seats] : it.blocks)
    blocks.push_back(block_json(name, seats, at));
  std::size_t live = 0;
  std::size_t seats = 0;
  for (const auto& [hold, what] : it.holds)
    if (is_live(it, what, at)) {
      ++live;
      seats += what.seats.size();
    }
  return {{"id", id},
          {"number", it.number},
          {"title", it.title},
          {"room", room_json(it.room)},
          {"blocks", std::move(blocks)},
          {"holds", {{"live", live}, {"seats", seats}}},
          {"orders", orders_json(it)},
          {"money", money_json(it)}};
}

std::string limit_text(const json& limit) {
  return limit.is_null() ? "none" : limit.dump();
}

/// Of a show, or of the cashier.
void print_orders(std::ostream& out, const json& it) {
  out << "  orders ";
  for (const auto& [state, count] : it["orders"].items())
    out << " " << state << " " << count;
  out << "\n";
  for (const auto& sum : it["money"])
    out << "  money   " << sum["takenMinor"] << " " << sum["currency"].get<std::string>()
        << " taken, " << sum["refundDueMinor"] << " to be refunded, " << sum["returnedMinor"]
        << " of returned seats; " << sum["inMinor"] << " came in, " << sum["refundedMinor"]
        << " refunded (minor units)\n";
}

void print_show(std::ostream& out, const json& it) {
  const auto& room = it["room"];
  const auto& set = room["settings"];
  out << "\nshow " << it["id"].get<std::string>() << " (number " << it["number"] << ", "
      << it["title"].get<std::string>() << ")\n"
      << "  room    " << room["state"].get<std::string>() << ", " << room["waiting"] << " waiting, "
      << room["passedOver"] << " passed over, " << room["active"] << " active, " << room["joined"]
      << " joined\n"
      << "          " << set["admitPerSecondMicro"].get<double>() / 1e6 << " a second, max active "
      << limit_text(set["maxActive"]) << ", max per tick " << limit_text(set["maxPerTick"])
      << ", tick " << set["tickMs"] << " ms, admission " << set["admissionTtlMs"]
      << " ms, max queue " << set["maxQueue"] << "\n";
  if (!set["opensAt"].is_null())
    out << "          opens at " << set["opensAt"].get<std::string>() << ", prequeue "
        << set["prequeueMs"] << " ms before\n";
  if (room["tiers"].size() > 1) {
    out << "          waiting by tier";
    for (const auto& tier : room["tiers"])
      out << "  " << (tier["tier"].is_null() ? "general" : tier["tier"].get<std::string>()) << " "
          << tier["waiting"];
    out << "; access codes " << room["codes"]["added"] << ", used " << room["codes"]["used"]
        << "\n";
  }
  if (!it["blocks"].empty())
    out << "  block           available      held      sold   blocked\n";
  for (const auto& block : it["blocks"])
    out << "  " << std::left << std::setw(15) << block["id"].get<std::string>() << std::right
        << std::setw(10) << block["available"].dump() << std::setw(10) << block["held"].dump()
        << std::setw(10) << block["sold"].dump() << std::setw(10) << block["blocked"].dump()
        << "\n";
  out << "  holds   " << it["holds"]["live"] << " live, with " << it["holds"]["seats"]
      << " seats\n";
  print_orders(out, it);
}

json gateways_json(const world& what) {
  auto all = json::array();
  for (const auto& [name, its] : what.breakers)
    all.push_back({{"gateway", name},
                   {"breaker", to_string(its.is)},
                   {"until", its.is == payments::breaker_status::open ? json(time_text(its.until))
                                                                      : json(nullptr)}});
  return all;
}

void print_gateways(std::ostream& out, const json& all) {
  out << "\ngateways\n";
  for (const auto& one : all)
    out << "  " << std::left << std::setw(15) << one["gateway"].get<std::string>() << std::right
        << " breaker " << one["breaker"].get<std::string>()
        << (one["until"].is_null() ? "" : " until " + one["until"].get<std::string>()) << "\n";
}

} // namespace

void write_state(std::ostream& out, const world& what, time_ms at, bool as_json) {
  json all{{"position", what.position}, {"time", time_text(at)}, {"shows", json::array()}};
  for (const auto& id : what.by_number)
    all["shows"].push_back(show_json(id, what.shows.at(id), at));
  const bool has_cashier = !what.cashier.orders.empty();
  if (has_cashier)
    all["cashier"] = {{"orders", orders_json(what.cashier)}, {"money", money_json(what.cashier)}};
  all["gateways"] = gateways_json(what);
  if (as_json) {
    out << all.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
    return;
  }
  out << "position " << what.position << ", " << time_text(at) << ", " << what.by_number.size()
      << (what.by_number.size() == 1 ? " show\n" : " shows\n");
  for (const auto& show : all["shows"])
    print_show(out, show);
  if (has_cashier) {
    out << "\ncashier\n";
    print_orders(out, all["cashier"]);
  }
  if (!what.breakers.empty())
    print_gateways(out, all["gateways"]);
}

} // namespace usher::storage::audit
