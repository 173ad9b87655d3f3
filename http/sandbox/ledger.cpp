#include "http/sandbox/ledger.hpp"

#include <iterator>
#include <utility>

namespace usher::sandbox {

std::string_view to_string(charge_status status) {
  switch (status) {
  case charge_status::created:
    return "CREATED";
  case charge_status::pending:
    return "PENDING";
  case charge_status::approved:
    return "APPROVED";
  case charge_status::declined:
    return "DECLINED";
  case charge_status::voided:
    return "VOIDED";
  }
  return {};
}

std::string_view to_string(refund_status status) {
  switch (status) {
  case refund_status::pending:
    return "PENDING";
  case refund_status::done:
    return "DONE";
  case refund_status::refused:
    return "REFUSED";
  }
  return {};
}

ledger::entered ledger::enter(const key_name& key, std::string_view request,
                              const std::function<fault()>& choose) {
  const std::lock_guard lock{mutex_};
  auto at = keys_.find(key);
  if (at == keys_.end()) {
    if (keys_.size() >= entries_max || voided_.size() >= entries_max)
      return {.is = entered::state::full};
    at = keys_.emplace(key, key_entry{std::string{request}, choose(), false, {}, 0}).first;
  }
  auto& entry = at->second;
  if (entry.request != request)
    return {.is = entered::state::other_request};
  ++entry.calls;
  count_call(entry.subject, 1);
  return {.rule = entry.rule, .subject = entry.subject};
}

bool ledger::strike(const key_name& key) {
  const std::lock_guard lock{mutex_};
  return !std::exchange(keys_[key].struck, true);
}

void ledger::bind(const key_name& key, const std::string& charge_id) {
  const std::lock_guard lock{mutex_};
  auto& entry = keys_[key];
  if (!entry.subject.empty())
    return;
  entry.subject = charge_id;
  count_call(charge_id, entry.calls);
}

charge ledger::open(const key_name& key, charge wanted) {
  const std::lock_guard lock{mutex_};
  auto& entry = keys_[key];
  if (const auto* known = charge_at(entry.subject))
    return *known;
  entry.subject = wanted.id;
  wanted.calls = entry.calls;
  wanted.status = voided_.contains({wanted.by, wanted.account, wanted.payment_id})
                      ? charge_status::voided
                      : charge_status::created;
  const auto index = charges_.size();
  charge_index_.emplace(wanted.id, index);
  if (!wanted.capture_id.empty())
    capture_index_.emplace(wanted.capture_id, index);
  payment_index_.emplace(wanted.payment_id, index);
  return charges_.emplace_back(std::move(wanted));
}

ledger::settled ledger::settle(const std::string& id, charge_status to, const std::string& reason,
                               time_ms at) {
  const std::lock_guard lock{mutex_};
  auto* const known = charge_at(id);
  if (known == nullptr)
    return {};
  auto& it = *known;
  const bool open = it.status == charge_status::created || it.status == charge_status::pending;
  if (!open || it.status == to)
    return {it, false};
  it.payer_agreed = it.payer_agreed || to == charge_status::created;
  it.status = to;
  it.reason = reason;
  if (to != charge_status::pending && to != charge_status::created)
    it.settled_ms = at;
  return {it, true};
}

std::optional<ledger::settled> ledger::void_payment(protocol by, const std::string& account,
                                                    const std::string& payment_id, time_ms at) {
  std::string id;
  {
    const std::lock_guard lock{mutex_};
    const auto [first, last] = payment_index_.equal_range(payment_id);
    for (auto each = first; each != last; ++each) {
      const auto& known = charges_[each->second];
      if (known.by == by && known.account == account)
        id = known.id;
    }
    if (id.empty()) {
      if (voided_.size() < entries_max)
        voided_.insert({by, account, payment_id});
      return std::nullopt;
    }
  }
  return settle(id, charge_status::voided, "voided", at);
}

ledger::paid_back ledger::give_back(const key_name& key, refund wanted) {
  const std::lock_guard lock{mutex_};
  auto& entry = keys_[key];
  auto* const charged_to = charge_at(wanted.charge_id);
  if (charged_to == nullptr)
    return {};
  auto& of = *charged_to;
  if (const auto* known = refund_at(entry.subject))
    return {*known, of, false};
  const auto left = of.left();
  const bool charged = of.status == charge_status::approved;
  if (!charged || wanted.amount.amount_minor > left) {
    wanted.status = refund_status::refused;
    wanted.reason = charged ? "amount_exceeded" : "not_charged";
  }
  if (wanted.status == refund_status::done)
    of.refunded += wanted.amount.amount_minor;
  if (wanted.status == refund_status::pending)
    of.refunding += wanted.amount.amount_minor;
  entry.subject = wanted.id;
  wanted.calls = entry.calls;
  refund_index_.emplace(wanted.id, refunds_.size());
  refunds_of_.emplace(wanted.charge_id, refunds_.size());
  return {refunds_.emplace_back(std::move(wanted)), of, true};
}

ledger::paid_back ledger::settle_refund(const std::string& id, refund_status to,
                                        const std::string& reason) {
  const std::lock_guard lock{mutex_};
  auto* const known = refund_at(id);
  if (known == nullptr)
    return {};
  auto& it = *known;
  auto& of = *charge_at(it.charge_id);
  if (it.status != refund_status::pending || to == refund_status::pending)
    return {it, of, false};
  of.refunding -= it.amount.amount_minor;
  if (to == refund_status::done)
    of.refunded += it.amount.amount_minor;
  it.status = to;
  it.reason = reason;
  return {it, of, true};
}

std::optional<charge> ledger::find(protocol by, const std::string& account,
                                   const std::string& id) const {
  const std::lock_guard lock{mutex_};
  const auto* known = charge_at(id);
  if (known == nullptr || known->by != by || known->account != account)
    return std::nullopt;
  return *known;
}

std::optional<charge> ledger::find_any(const std::string& id) const {
  const std::lock_guard lock{mutex_};
  if (const auto* known = charge_at(id))
    return *known;
  const auto [first, last] = payment_index_.equal_range(id);
  if (first == last)
    return std::nullopt;
  return charges_[std::prev(last)->second];
}

std::optional<charge> ledger::find_capture(const std::string& account,
                                           const std::string& capture_id) const {
  const std::lock_guard lock{mutex_};
  const auto at = capture_index_.find(capture_id);
  if (at == capture_index_.end() || charges_[at->second].account != account)
    return std::nullopt;
  return charges_[at->second];
}

std::vector<charge> ledger::of_payment(protocol by, const std::string& account,
                                       const std::string& payment_id) const {
  const std::lock_guard lock{mutex_};
  std::vector<charge> all;
  const auto [first, last] = payment_index_.equal_range(payment_id);
  for (auto each = first; each != last; ++each)
    if (const auto& known = charges_[each->second]; known.by == by && known.account == account)
      all.push_back(known);
  return all;
}

std::optional<refund> ledger::find_refund(protocol by, const std::string& account,
                                          const std::string& id) const {
  auto known = find_any_refund(id);
  if (known && (known->by != by || known->account != account))
    return std::nullopt;
  return known;
}

std::optional<refund> ledger::find_any_refund(const std::string& id) const {
  const std::lock_guard lock{mutex_};
  const auto at = refund_index_.find(id);
  if (at == refund_index_.end())
    return std::nullopt;
  return refunds_[at->second];
}

std::vector<refund> ledger::refunds_of(const std::string& charge_id) const {
  const std::lock_guard lock{mutex_};
  std::vector<refund> all;
  const auto [first, last] = refunds_of_.equal_range(charge_id);
  for (auto each = first; each != last; ++each)
    all.push_back(refunds_[each->second]);
  return all;
}

ledger::snapshot ledger::look(const std::string& order_id) const {
  const std::lock_guard lock{mutex_};
  snapshot seen;
  std::set<std::string> ids;
  for (const auto& each : charges_) {
    if (!order_id.empty() && each.order_id != order_id)
      continue;
    seen.charges.push_back(each);
    seen.charged += each.status == charge_status::approved ? each.amount.amount_minor : 0;
    seen.refunded += each.refunded;
    ids.insert(each.id);
  }
  for (const auto& each : refunds_)
    if (ids.contains(each.charge_id))
      seen.refunds.push_back(each);
  return seen;
}

void ledger::reset() {
  const std::lock_guard lock{mutex_};
  keys_.clear();
  charges_.clear();
  refunds_.clear();
  charge_index_.clear();
  refund_index_.clear();
  capture_index_.clear();
  payment_index_.clear();
  refunds_of_.clear();
  voided_.clear();
}

const charge* ledger::charge_at(const std::string& id) const {
  const auto at = charge_index_.find(id);
  return at == charge_index_.end() ? nullptr : &charges_[at->second];
}

charge* ledger::charge_at(const std::string& id) {
  const auto at = charge_index_.find(id);
  return at == charge_index_.end() ? nullptr : &charges_[at->second];
}

refund* ledger::refund_at(const std::string& id) {
  const auto at = refund_index_.find(id);
  return at == refund_index_.end() ? nullptr : &refunds_[at->second];
}

void ledger::count_call(const std::string& subject, unsigned calls) {
  if (auto* known = charge_at(subject))
    known->calls += calls;
  else if (auto* repaid = refund_at(subject))
    repaid->calls += calls;
}

} // namespace usher::sandbox
