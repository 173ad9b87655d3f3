#include "storage/receipts.hpp"

#include "actors/basics/overloaded.hpp"
#include "storage/codec.hpp"
#include "storage/event_types.hpp"
#include "storage/log_format.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace usher::storage {

namespace {

namespace event = waiting_room::event;

indexed_places of_room() {
  return {.places = {whole_room}, .joins = false};
}

/// Where a record is.
struct place_found {
  std::uint32_t slot = 0;
  position_t position = 0;
};

/// The last entry of this subject and kind that is not beyond this slot and position.
std::variant<std::optional<place_found>, failure> last_up_to(const receipt_source& source,
                                                             const place_entry& wanted) {
  auto key = source.last_key_up_to(place_key(wanted));
  if (auto* fault = std::get_if<failure>(&key))
    return std::move(*fault);
  const auto& text = std::get<std::optional<std::string>>(key);
  if (!text)
    return std::nullopt;
  const auto found = read_place_key(*text);
  if (!found)
    return failure{"the index of places has a key that is none"};
  if (found->subject != wanted.subject || found->kind != wanted.kind)
    return std::nullopt;
  return place_found{.slot = found->slot, .position = found->position};
}

/// Adds the newest positions after `after` of the entries of one slot, at most so many.
std::optional<failure> add_newest(const receipt_source& source, place_entry wanted,
                                  position_t after, std::size_t most,
                                  std::vector<position_t>& positions) {
  for (; most > 0; --most) {
    auto found = last_up_to(source, wanted);
    if (auto* fault = std::get_if<failure>(&found))
      return std::move(*fault);
    const auto& entry = std::get<std::optional<place_found>>(found);
    if (!entry || entry->slot != wanted.slot || entry->position <= after)
      break;
    positions.push_back(entry->position);
    wanted.position = entry->position - 1;
  }
  return std::nullopt;
}

/// In order: the newest of the slot's own entries, and as many of the room's as there is place for.
std::variant<std::vector<position_t>, failure> positions_after(const receipt_source& source,
                                                               std::string_view subject,
                                                               std::uint32_t slot, position_t join,
                                                               std::size_t most) {
  std::vector<position_t> positions;
  for (const auto of : {slot, whole_room})
    if (auto fault = add_newest(source,
                                {.subject = subject,
                                 .kind = place_kind::event,
                                 .slot = of,
                                 .position = std::numeric_limits<position_t>::max()},
                                join, most - std::min(most, positions.size()), positions))
      return std::move(*fault);
  std::ranges::sort(positions);
  const auto twice = std::ranges::unique(positions);
  positions.erase(twice.begin(), twice.end());
  return positions;
}

std::variant<std::vector<stored_record>, failure>
read_records(const receipt_source& source, std::string_view subject,
             const std::vector<position_t>& positions) {
  std::vector<stored_record> records;
  std::optional<batch> at;
  for (const auto position : positions) {
    if (!at || position > at->last()) {
      auto next = source.batch_with(position);
      if (auto* fault = std::get_if<failure>(&next))
        return std::move(*fault);
      at = std::move(std::get<batch>(next));
    }
    auto& record = at->records[position - at->first()];
    if (record.subject != subject)
      return failure{"the index of places is damaged: position " + std::to_string(position) +
                     " is not about " + std::string{subject}};
    records.push_back(std::move(record));
  }
  return records;
}

/// Whether this record gave out the slot.
std::variant<bool, failure> gave_out(const stored_record& join, std::uint32_t slot) {
  const auto happened = decode_waiting_room(join.type, join.schema, join.data);
  if (const auto* fault = std::get_if<failure>(&happened))
    return *fault;
  const auto* joined =
      std::get_if<event::fans_joined>(&std::get<waiting_room::any_event>(happened));
  if (joined == nullptr)
    return failure{"the index of places is damaged: position " + std::to_string(join.position) +
                   " is no join"};
  return slot >= joined->first && slot - joined->first < joined->nonces.size();
}

} // namespace

indexed_places places_of(const waiting_room::any_event& happened) {
  return std::visit(
      overloaded{
          [](const event::room_configured&) {
    return of_room(); },
          [](const event::room_scheduled&) {
    return of_room(); },
          [](const event::room_unscheduled&) {
    return of_room(); },
          [](const event::prequeue_opened&) {
    return of_room(); },
          [](const event::beacon_given&) {
    return of_room(); },
          [](const event::places_drawn&) {
    return of_room(); },
          [](const event::room_opened&) {
    return of_room(); },
          [](const event::room_put_on_standby&) {
    return of_room(); },
          [](const event::room_paused&) {
    return of_room(); },
          [](const event::room_resumed&) {
    return of_room(); },
          [](const event::stock_changed&) {
    return of_room(); },
          [](const event::room_closed&) {
    return of_room(); },
          [](const event::message_set&) {
    return of_room(); },
          [](const event::codes_added&) {
    return indexed_places{}; },
          [](const event::fans_joined& e) {
    return e.nonces.empty() ? indexed_places{} : indexed_places{{e.first}, true};
          },
          [](const auto& e)
            requires requires { e.slots;
}
{ return indexed_places{e.slots, false}; }
, [](const auto& e) requires requires {
  e.slot;
}
{ return indexed_places{{e.slot}, false}; }
,
} // namespace usher::storage
,
      happened);
}

std::variant<indexed_places, failure> places_of(const stored_record& record) {
  const auto* row = find_event_type(record.type);
  if (row == nullptr || row->of != aggregate::waiting_room)
    return indexed_places{};
  const auto happened = decode_waiting_room(record.type, record.schema, record.data);
  if (const auto* fault = std::get_if<failure>(&happened))
    return failure{"position " + std::to_string(record.position) + ": " + fault->what};
  return places_of(std::get<waiting_room::any_event>(happened));
}

std::vector<std::string> place_keys(const stored_record& record) {
  std::vector<std::string> keys;
  keys.reserve(record.places.size());
  for (const auto slot : record.places)
    keys.push_back(place_key({.subject = record.subject,
                              .kind = record.joins ? place_kind::join : place_kind::event,
                              .slot = slot,
                              .position = record.position}));
  return keys;
}

std::variant<std::vector<stored_record>, failure> records_about(const receipt_source& source,
                                                                std::string_view subject,
                                                                std::uint32_t slot,
                                                                std::size_t limit) {
  std::vector<stored_record> none;
  if (limit == 0 || slot == whole_room)
    return none;
  auto found = last_up_to(source, {.subject = subject,
                                   .kind = place_kind::join,
                                   .slot = slot,
                                   .position = std::numeric_limits<position_t>::max()});
  if (auto* fault = std::get_if<failure>(&found))
    return std::move(*fault);
  const auto& join = std::get<std::optional<place_found>>(found);
  if (!join)
    return none;
  auto positions = positions_after(source, subject, slot, join->position, limit - 1);
  if (auto* fault = std::get_if<failure>(&positions))
    return std::move(*fault);
  auto& wanted = std::get<std::vector<position_t>>(positions);
  wanted.insert(wanted.begin(), join->position);
  auto records = read_records(source, subject, wanted);
  if (std::holds_alternative<failure>(records))
    return records;
  const auto given = gave_out(std::get<std::vector<stored_record>>(records).front(), slot);
  if (const auto* fault = std::get_if<failure>(&given))
    return *fault;
  return std::get<bool>(given) ? std::move(records) : none;
}

} // namespace usher::storage
