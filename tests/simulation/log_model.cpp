#include "tests/simulation/log_model.hpp"

#include "storage/codec.hpp"
#include "tests/simulation/violation.hpp"

#include <string_view>
#include <utility>

namespace usher::simulation {

namespace {

template <class Event>
const Event& readable(const std::variant<Event, storage::failure>& decoded) {
  if (const auto* failed = std::get_if<storage::failure>(&decoded))
    throw violation{"log-is-readable", failed->what};
  return std::get<Event>(decoded);
}

/// `block/hamlet/A` -> block, hamlet, A
struct address {
  std::string_view kind;
  std::string_view show;
  std::string_view block;
};

std::pair<std::string_view, std::string_view> split(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos)
    return {text, {}};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

address address_of(std::string_view subject) {
  const auto [kind, rest] = split(subject);
  const auto [show, block] = split(rest);
  return {kind, show, block};
}

} // namespace

log_model::log_model(desk_model::money_check has_taken, std::uint32_t seats_max)
    : has_taken_{std::move(has_taken)}, seats_max_{seats_max} {
  cashier_.has_taken = has_taken_;
}

log_model::show& log_model::known(const show_id& id) {
  const auto [found, fresh] = shows_.try_emplace(id);
  if (fresh) {
    found->second.desk.has_taken = has_taken_;
    found->second.desk.seats_max = seats_max_;
  }
  return found->second;
}

void log_model::take(const storage::stored_record& r) {
  demand(r.position == position_ + 1, "versions-grow", [&] {
    return "Record " + std::to_string(r.position) + " comes after " + std::to_string(position_) +
           ".";
  });
  position_ = r.position;
  ++types_[r.type];
  auto& version = versions_[r.subject];
  demand(r.version == version + 1, "versions-grow", [&] {
    return "Version " + std::to_string(r.version) + " of " + r.subject + " comes after " +
           std::to_string(version) + ".";
  });
  version = r.version;
  last_ =
      std::to_string(r.position) + " " + r.type + " " + r.subject + " at " + std::to_string(r.at);

  const auto to = address_of(r.subject);
  if (to.kind == "queue") {
    const auto event = storage::decode_waiting_room(r.type, r.schema, r.data);
    known(show_id{to.show}).room.take(readable(event), r.at);
  } else if (to.kind == "block") {
    const auto event = storage::decode_seating(r.type, r.schema, r.data);
    known(show_id{to.show}).blocks[block_id{to.block}].take(readable(event), r.at);
  } else if (to.kind == "desk") {
    const auto event = storage::decode_orders(r.type, r.schema, r.data);
    auto& its = known(show_id{to.show});
    its.desk.take(readable(event), r.at, &its.room);
  } else if (to.kind == "cashier") {
    const auto event = storage::decode_orders(r.type, r.schema, r.data);
    cashier_.take(readable(event), r.at, nullptr);
  }
  audit_->take(r);
}

void log_model::judge_by_audit() const {
  if (audit_->found().total() == 0)
    return;
  const auto first = audit_->found().listed().front();
  throw violation{"audit-is-clean", "record " + std::to_string(first.position) + ", " +
                                        std::string{to_string(first.what)} + ": " + first.sentence};
}

void log_model::end_of_batch() {
  for (auto& [id, its] : shows_)
    its.desk.end_of_batch();
  cashier_.end_of_batch();
  judge_by_audit();
}

void log_model::finish() {
  audit_->finish();
  judge_by_audit();
}

void log_model::restart(time_ms now) {
  for (auto& [id, its] : shows_)
    its.room.restart(now);
}

} // namespace usher::simulation
