#include "storage/audit/reader.hpp"

#include "storage/upcast.hpp"

#include <utility>

namespace usher::storage::audit {

namespace {

template <class Event>
std::variant<any_fact, failure> widened(std::variant<Event, failure> read) {
  if (auto* fault = std::get_if<failure>(&read))
    return std::move(*fault);
  return any_fact{std::move(std::get<Event>(read))};
}

std::optional<std::string_view> after(std::string_view subject, std::string_view prefix) {
  if (!subject.starts_with(prefix) || subject.size() == prefix.size())
    return std::nullopt;
  return subject.substr(prefix.size());
}

} // namespace

std::optional<place> read_subject(std::string_view subject) {
  if (subject == "shows")
    return place{aggregate::shows, {}, {}};
  if (subject == "keys")
    return place{aggregate::access, {}, {}};
  if (subject == "cashier")
    return place{aggregate::orders, {}, {}};
  if (const auto show = after(subject, "queue/"))
    return place{aggregate::waiting_room, std::string{*show}, {}};
  if (const auto show = after(subject, "desk/"))
    return place{aggregate::orders, std::string{*show}, {}};
  if (const auto name = after(subject, "gateway/"))
    return place{aggregate::payments, {}, {}, std::string{*name}};
  const auto rest = after(subject, "block/");
  const auto slash = rest ? rest->find('/') : std::string_view::npos;
  if (slash == std::string_view::npos)
    return std::nullopt;
  return place{aggregate::seating, std::string{rest->substr(0, slash)},
               std::string{rest->substr(slash + 1)}};
}

std::variant<any_fact, failure> read_event(const record& which) {
  const auto* row = find_event_type(which.type);
  if (row == nullptr)
    return unknown_type(which.type, which.schema);
  switch (row->of) {
  case aggregate::waiting_room:
    return widened(decode_waiting_room(which.type, which.schema, which.data));
  case aggregate::seating:
    return widened(decode_seating(which.type, which.schema, which.data));
  case aggregate::orders:
    return widened(decode_orders(which.type, which.schema, which.data));
  case aggregate::shows:
    return widened(decode_shows(which.type, which.schema, which.data));
  case aggregate::access:
    return widened(decode_access(which.type, which.schema, which.data));
  case aggregate::payments:
    return widened(decode_payments(which.type, which.schema, which.data));
  }
  return failure{"a type of event belongs to nobody"};
}

} // namespace usher::storage::audit
