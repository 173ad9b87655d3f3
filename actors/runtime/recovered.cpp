#include "actors/runtime/recovered.hpp"

#include "actors/orders/rules.hpp"
#include "actors/seating/rules.hpp"
#include "actors/shows/rules.hpp"
#include "actors/waiting_room/rules.hpp"
#include "storage/codec.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace usher::runtime {

namespace {

using storage::failure;
using storage::stored_record;

constexpr storage::position_t report_every = 1 << 14;

/// `queue/show-42` -> ("queue", "show-42"); `shows` -> ("shows", "").
std::pair<std::string_view, std::string_view> split(std::string_view subject) {
  const auto slash = subject.find('/');
  if (slash == std::string_view::npos)
    return {subject, {}};
  return {subject.substr(0, slash), subject.substr(slash + 1)};
}

class rebuilding {
public:
  explicit rebuilding(recovered from) : result_{std::move(from)} {}

  std::optional<failure> take(const stored_record& record) {
    result_.last_at = std::max(result_.last_at, record.at);
    const auto [kind, rest] = split(record.subject);
    if (kind == "queue")
      return into_room(show(rest), record);
    if (kind == "block")
      return into_block(rest, record);
    if (kind == "desk")
      return into_desk(show(rest).desk, record);
    if (record.subject == "cashier")
      return into_desk(result_.cashier, record);
    if (kind == "shows")
      return into_directory(record);
    if (kind == "keys")
      return into_keys(record);
    if (kind == "gateway")
      return into_breaker(rest, record);
    return failure{"unknown subject '" + record.subject + "'"};
  }

  recovered finish() { return std::move(result_); }

private:
  recovered_show& show(std::string_view id) { return result_.shows[std::string{id}]; }

  /// Decodes and hands the event on; the failure otherwise.
  template <class Decoded, class Then>
  static std::optional<failure> with(Decoded decoded, Then then) {
    if (auto* failed = std::get_if<failure>(&decoded))
      return std::move(*failed);
    then(std::get<0>(decoded));
    return std::nullopt;
  }

  static std::optional<failure> into_room(recovered_show& where, const stored_record& r) {
    return with(storage::decode_waiting_room(r.type, r.schema, r.data), [&](const auto& event) {
      waiting_room::apply(where.room, event, r.at);
      where.room_board->publish(event, r.at);
    });
  }

  std::optional<failure> into_block(std::string_view path, const stored_record& r) {
    const auto slash = path.find('/');
    if (slash == std::string_view::npos)
      return failure{"subject '" + r.subject + "' names no block"};
    auto& where = show(path.substr(0, slash)).blocks[std::string{path.substr(slash + 1)}];
    return with(storage::decode_seating(r.type, r.schema, r.data), [&](const auto& event) {
      seating::apply(where.block, event, r.at);
      where.board->publish(event, r.at);
    });
  }

  static std::optional<failure> into_desk(orders::state& where, const stored_record& r) {
    return with(storage::decode_orders(r.type, r.schema, r.data),
                [&](const auto& event) { orders::apply(where, event, r.at); });
  }

  std::optional<failure> into_directory(const stored_record& r) {
    return with(storage::decode_shows(r.type, r.schema, r.data),
                [&](const auto& event) { shows::apply(result_.directory, event); });
  }

  std::optional<failure> into_keys(const stored_record& r) {
    return with(storage::decode_access(r.type, r.schema, r.data), [&](const auto& event) {
      result_.keys.push_back(std::get<access::event::key_created>(event));
    });
  }

  std::optional<failure> into_breaker(std::string_view gateway, const stored_record& r) {
    auto& breaker = result_.breakers[std::string{gateway}];
    return with(storage::decode_payments(r.type, r.schema, r.data),
                [&](const auto& event) { payments::apply(breaker, event, r.at); });
  }

  recovered result_;
};

/// Every show has what its description speaks of, or the log was not written by us.
std::optional<failure> incomplete(const recovered& world) {
  const auto has_block = [&](const show_id& id, const block_id& block) {
    const auto found = world.shows.find(id);
    return found != world.shows.end() && found->second.blocks.contains(block);
  };
  for (const auto& [id, show] : world.directory.shows)
    if (show.what.plan)
      for (const auto& block : show.what.plan->blocks)
        if (!has_block(id, block.id))
          return failure{"the log has no seats of block '" + block.id + "' of show '" + id + "'"};
  return std::nullopt;
}

} // namespace

std::variant<fold, failure> fold_on(fold from, const storage::event_log& log,
                                    const std::function<bool(storage::position_t next)>& go_on) {
  rebuilding world{std::move(from.world)};
  auto at = from.at;
  std::optional<failure> unreadable;
  // From the last record that is known: the batch that it ends is checked to lead on to the next.
  const auto failed = log.replay(at, [&](const stored_record& record) {
    if (record.position <= at)
      return true;
    if (!go_on(record.position))
      return false;
    if (auto trouble = world.take(record))
      unreadable = failure{"record " + std::to_string(record.position) + ": " + trouble->what};
    at = record.position;
    return !unreadable;
  });
  if (failed)
    return *failed;
  if (unreadable)
    return *unreadable;
  return fold{world.finish(), at};
}

std::variant<recovered, failure> recover(const storage::event_log& log, const progress& report,
                                         fold from) {
  const auto total = log.head().position;
  auto found = fold_on(std::move(from), log, [&](storage::position_t next) {
    if (report && next % report_every == 0)
      report(next, total);
    return true;
  });
  if (auto* failed = std::get_if<failure>(&found))
    return std::move(*failed);
  auto& world = std::get<fold>(found).world;
  if (auto missing = incomplete(world))
    return *missing;
  return std::move(world);
}

} // namespace usher::runtime
