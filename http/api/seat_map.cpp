#include "http/api/seat_map.hpp"

#include "http/api/call.hpp"

#include <span>

namespace usher::http {

namespace {

std::string_view name_of(seating::shown state) {
  switch (state) {
  case seating::shown::available:
    return "AVAILABLE";
  case seating::shown::held:
    return "HELD";
  case seating::shown::sold:
    return "SOLD";
  }
  return "?";
}

std::uint64_t version_of(const shows::published& what) {
  std::uint64_t version = 0;
  for (const auto& board : what.boards)
    version += board->version();
  return version;
}

/// Ids need no escaping: a plan allows letters, digits, '-', '_' and '.' only.
void append_block(std::string& body, const shows::block& block, const seating::board& board) {
  const auto count = board.count();
  const auto seats = board.seats();
  body.append(R"({"id":")").append(block.id).append(R"(","available":)");
  body.append(std::to_string(count.available)).append(R"(,"held":)");
  body.append(std::to_string(count.held)).append(R"(,"sold":)");
  body.append(std::to_string(count.sold)).append(R"(,"seats":{)");
  for (std::size_t i = 0; i < seats->ids().size(); ++i) {
    body.append(i == 0 ? "\"" : ",\"").append(seats->ids()[i]).append("\":\"");
    body.append(name_of(seats->at(i))).append("\"");
  }
  body.append("}}");
}

std::shared_ptr<const seat_map> build(std::shared_ptr<const shows::published> what, time_ms now) {
  auto made = std::make_shared<seat_map>();
  made->version = version_of(*what); // before the seats: the map is at least as new as it says
  made->made_at = now;
  made->body = R"({"asOf":")" + time_text(now) + R"(","blocks":[)";
  const auto content = made->body.size();
  for (std::size_t i = 0; i < what->boards.size(); ++i) {
    if (i != 0)
      made->body.push_back(',');
    append_block(made->body, what->what.plan->blocks[i], *what->boards[i]);
  }
  made->body.append("]}");
  // Of the content, not of the versions: those of another plan's blocks may add up to the same.
  const auto digest = sha256(std::string_view{made->body}.substr(content));
  made->etag = "\"" + to_hex(std::span{digest}.first<16>()) + "\"";
  made->of = std::move(what);
  return made;
}

} // namespace

std::shared_ptr<const seat_map> seat_maps::of(const shows::show_entry& show, time_ms now) {
  auto what = show.now();
  const std::lock_guard lock{mutex_};
  auto& kept = maps_[show.number];
  if (kept && kept->of == what) {
    const bool small = what->seats.size() <= small_plan_seats;
    if (kept->version == version_of(*what) || (!small && now - kept->made_at < rebuild_interval_ms))
      return kept;
  }
  return kept = build(std::move(what), now);
}

} // namespace usher::http
