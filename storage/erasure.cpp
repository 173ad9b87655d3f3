#include "storage/erasure.hpp"

#include "storage/codec.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

namespace usher::storage {

namespace {

std::string in_lower_case(std::string text) {
  for (auto& c : text)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string_view bytes_of(const id128& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

/// The show of `queue/<show>` or `desk/<show>`; empty for `cashier`.
show_id show_of(const std::string& subject) {
  const auto slash = subject.find('/');
  return slash == std::string::npos ? show_id{} : subject.substr(slash + 1);
}

class search {
public:
  search(const erasure_target& target, const opener& open)
      : target_{target}, open_{open}, email_{in_lower_case(target.email.value_or(""))} {}

  /// First all of these,
  std::optional<failure> take_place(const stored_record& next) {
    if (next.type != "fans_joined" && next.type != "fan_identified")
      return std::nullopt;
    const auto read = decode_waiting_room(next.type, next.schema, next.data);
    if (const auto* failed = std::get_if<failure>(&read))
      return *failed;
    const auto& happened = std::get<waiting_room::any_event>(read);
    const auto show = show_of(next.subject);
    if (const auto* joined = std::get_if<waiting_room::event::fans_joined>(&happened)) {
      const auto who = of(show);
      for (std::size_t i = 0; i < joined->customers.size(); ++i)
        if (joined->customers[i] == who)
          places_[show].insert(joined->first + static_cast<slot_t>(i));
    } else if (const auto* named = std::get_if<waiting_room::event::fan_identified>(&happened)) {
      if (named->customer && named->who == of(show))
        places_[show].insert(named->slot);
    }
    return std::nullopt;
  }

  /// then all of these.
  std::optional<failure> take_order(const stored_record& next) {
    if (next.type != "hold_placed" && next.type != "order_placed" && next.type != "payment_started")
      return std::nullopt;
    const auto read = decode_orders(next.type, next.schema, next.data);
    if (const auto* failed = std::get_if<failure>(&read))
      return *failed;
    const auto& happened = std::get<orders::any_event>(read);
    if (const auto* held = std::get_if<orders::event::hold_placed>(&happened))
      hold(*held, show_of(next.subject));
    else if (const auto* placed = std::get_if<orders::event::order_placed>(&happened))
      order(*placed, show_of(next.subject));
    else if (const auto* started = std::get_if<orders::event::payment_started>(&happened))
      if (orders_.contains(started->order))
        note(started->token);
    return std::nullopt;
  }

  personal_fields finish() {
    found_.orders = orders_.size();
    return std::move(found_);
  }

private:
  identity of(const show_id& show) {
    const auto known = identities_.find(show);
    if (known != identities_.end())
      return known->second;
    return identities_.emplace(show, target_.customer(show)).first->second;
  }

  [[nodiscard]] bool has_place(const show_id& show, const std::optional<slot_t>& slot) const {
    const auto found = places_.find(show);
    return slot && found != places_.end() && found->second.contains(*slot);
  }

  void hold(const orders::event::hold_placed& held, const show_id& show) {
    if (target_.customer && (held.customer == of(show) || has_place(show, held.owner)))
      holds_.insert(held.hold);
  }

  void order(const orders::event::order_placed& placed, const show_id& show) {
    const bool theirs =
        (!placed.hold.is_none() && holds_.contains(placed.hold)) || has_place(show, placed.owner);
    if (!theirs && !has_address(placed))
      return;
    orders_.insert(placed.order);
    note(placed.customer);
  }

  [[nodiscard]] bool has_address(const orders::event::order_placed& placed) const {
    if (!target_.email || placed.customer.empty())
      return false;
    const auto opened = open_(placed.customer, bytes_of(placed.order));
    const auto* data = std::get_if<opened_data>(&opened);
    if (data == nullptr)
      return false;
    const auto customer = nlohmann::json::parse(data->plain, nullptr, false);
    if (!customer.is_object() || !customer.contains("email") || !customer["email"].is_string())
      return false;
    return in_lower_case(customer["email"].get<std::string>()) == email_;
  }

  void note(const std::string& sealed) {
    if (sealed.empty())
      return;
    if (const auto id = key_of_sealed(sealed))
      found_.keys.push_back(*id);
    else
      ++found_.remaining;
  }

  const erasure_target& target_;
  const opener& open_;
  std::string email_;
  std::map<show_id, identity> identities_;
  std::map<show_id, std::unordered_set<slot_t>> places_;
  std::unordered_set<hold_id, id_hash> holds_;
  std::unordered_set<order_id, id_hash> orders_;
  personal_fields found_;
};

template <class Take>
std::optional<failure> replay_all(const event_log& log, const std::atomic<bool>& stop, Take take) {
  std::optional<failure> trouble;
  auto broken = log.replay(1, [&](const stored_record& next) {
    if (stop)
      trouble = failure{"the server stops"};
    else if (auto unreadable = take(next))
      trouble = failure{"record " + std::to_string(next.position) + ": " + unreadable->what};
    return !trouble;
  });
  return trouble ? trouble : broken;
}

} // namespace

std::variant<personal_fields, failure> find_personal_fields(const event_log& log,
                                                            const erasure_target& target,
                                                            const opener& open,
                                                            const std::atomic<bool>& stop) {
  search all{target, open};
  if (target.customer)
    if (auto trouble =
            replay_all(log, stop, [&](const auto& next) { return all.take_place(next); }))
      return std::move(*trouble);
  if (auto trouble = replay_all(log, stop, [&](const auto& next) { return all.take_order(next); }))
    return std::move(*trouble);
  return all.finish();
}

} // namespace usher::storage
