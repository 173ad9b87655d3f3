#include "tests/system/seat_ledger.hpp"

#include <algorithm>

namespace usher::test {

namespace {

std::string fan_text(std::uint32_t fan) {
  return "fan " + std::to_string(fan);
}

} // namespace

void seat_ledger::add_seat(const std::string& id, std::uint32_t section) {
  index_of_.emplace(id, seats_.size());
  seats_.push_back({id, section, {}});
}

void seat_ledger::took(std::uint32_t fan, const std::vector<std::string>& seats, span call) {
  for (const auto& id : seats) {
    const auto found = index_of_.find(id);
    if (found == index_of_.end())
      complaints_.push_back(fan_text(fan) + " was given " + id + ", which there is not");
    else
      seats_[found->second].claims.push_back({fan, call});
  }
}

/// Another fan may have it already: the answer to giving it back can come later than that.
seat_ledger::claim* seat_ledger::claim_of(std::uint32_t fan, const std::string& id) {
  if (const auto found = index_of_.find(id); found != index_of_.end()) {
    auto& claims = seats_[found->second].claims;
    const auto its = std::find_if(claims.rbegin(), claims.rend(),
                                  [fan](const claim& each) { return each.fan == fan; });
    if (its != claims.rend())
      return &*its;
  }
  complaints_.push_back(fan_text(fan) + " never had " + id);
  return nullptr;
}

void seat_ledger::gave_back(std::uint32_t fan, const std::vector<std::string>& seats, span call) {
  for (const auto& id : seats)
    if (auto* its = claim_of(fan, id))
      its->gave_back = call;
}

void seat_ledger::paid(std::uint32_t fan, const std::vector<std::string>& seats, span call) {
  for (const auto& id : seats)
    if (auto* its = claim_of(fan, id)) {
      if (its->paid.answered != never)
        complaints_.push_back(id + " was sold twice by " + fan_text(its->fan));
      its->paid = call;
      ++sold_;
    }
}

void seat_ledger::was_refused(std::uint32_t fan, std::vector<std::string> wanted, named in_the_way,
                              span call) {
  refusals_.push_back({fan, std::move(wanted), std::move(in_the_way), call});
}

void seat_ledger::found_none(std::uint32_t fan, std::uint32_t quantity,
                             std::vector<std::uint32_t> sections, span call) {
  nones_.push_back({fan, quantity, std::move(sections), call});
}

std::vector<std::string> seat_ledger::complaints() const {
  auto wrong = complaints_;
  check_owners(wrong);
  for (const auto& each : refusals_)
    check_refusal(each, wrong);
  check_nones(wrong);
  return wrong;
}

/// Nobody has a seat that certainly is another's.
void seat_ledger::check_owners(sentences& wrong) const {
  for (const auto& one : seats_)
    for (std::size_t i = 1; i < one.claims.size(); ++i) {
      const auto& before = one.claims[i - 1];
      const auto& after = one.claims[i];
      if (before.gave_back.asked > after.took.answered)
        wrong.push_back(one.id + " was given to " + fan_text(after.fan) + " while " +
                        fan_text(before.fan) + " had it");
    }
}

void seat_ledger::check_refusal(const refusal& each, sentences& wrong) const {
  const auto call = each.call;
  for (const auto& [id, reason] : each.in_the_way) {
    const auto found = index_of_.find(id);
    const bool asked_for =
        each.wanted.empty() || std::ranges::find(each.wanted, id) != each.wanted.end();
    // Did it possibly belong to somebody at some time between call and answer?
    const bool can_be =
        found != index_of_.end() &&
        std::ranges::any_of(seats_[found->second].claims, [&, why = reason](const claim& its) {
          const bool held = its.took.asked < call.answered && its.gave_back.answered > call.asked &&
                            its.paid.answered > call.asked;
          return why == "SOLD" ? its.paid.asked < call.answered : why == "HELD" && held;
        });
    if (!asked_for || !can_be)
      wrong.push_back(fan_text(each.fan) + " was told that " + id + " is " + reason +
                      ", which it cannot have been");
  }
  for (const auto& id : each.wanted) {
    const bool is_named =
        std::ranges::find(each.in_the_way, id, &named::value_type::first) != each.in_the_way.end();
    const bool taken_all_the_time =
        std::ranges::any_of(seats_[index_of_.at(id)].claims, [&](const claim& its) {
          return its.took.answered < call.asked && its.gave_back.asked > call.answered;
        });
    if (!is_named && taken_all_the_time)
      wrong.push_back(fan_text(each.fan) + " was not told that " + id + " is taken");
  }
}

/// Too few seats were free all the time between call and answer, for certain.
void seat_ledger::check_nones(sentences& wrong) const {
  // Most seats are sold before somebody is told none, so each look begins with those sold last.
  std::vector<const seat*> latest;
  for (const auto& each : seats_)
    latest.push_back(&each);
  const auto taken_for_good = [](const seat* which) {
    return which->claims.empty() || which->claims.back().gave_back.answered != never
               ? never
               : which->claims.back().took.asked;
  };
  std::ranges::sort(latest, std::ranges::greater{}, taken_for_good);
  for (const auto& each : nones_) {
    std::uint32_t free = 0;
    for (const auto* which : latest) {
      if (taken_for_good(which) < each.call.answered)
        break;
      const bool asked_for =
          std::ranges::find(each.sections, which->section) != each.sections.end();
      const bool perhaps_taken = std::ranges::any_of(which->claims, [&](const claim& its) {
        return its.took.asked < each.call.answered && its.gave_back.answered > each.call.asked;
      });
      free += asked_for && !perhaps_taken ? 1U : 0U;
    }
    if (free >= each.quantity)
      wrong.push_back(fan_text(each.fan) + " found none of " + std::to_string(each.quantity) +
                      " seats while " + std::to_string(free) + " were free");
  }
}

} // namespace usher::test
