// The report on the draws of a show, for people and for machines.

#include "storage/audit/draw_report.hpp"

#include "storage/audit/names.hpp"
#include "storage/files.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

namespace usher::storage::audit {

namespace {

using json = nlohmann::ordered_json;

std::string hex_of(const waiting_room::bytes32& bytes) {
  return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string_view name_of(draw_state state) {
  switch (state) {
  case draw_state::ahead:
    return "AHEAD";
  case draw_state::called_off:
    return "CALLED_OFF";
  case draw_state::drawn:
    return "DRAWN";
  }
  return "?";
}

json or_null(std::optional<std::size_t> number) {
  return number ? json(*number) : json(nullptr);
}

json drawn_json(const draw_record& draw) {
  auto tiers = json::array();
  for (const auto& tier : draw.tiers)
    tiers.push_back(
        {{"tier", tier.name.empty() ? json(nullptr) : json(tier.name)}, {"tickets", tier.tickets}});
  return {{"position", draw.position},
          {"at", time_text(draw.at)},
          {"seed", hex_of(draw.seed)},
          {"beacon", draw.beacon_used},
          {"tickets", draw.tickets},
          {"tiers", std::move(tiers)},
          {"seedAgrees", draw.seed_agrees},
          {"beaconAgrees", draw.beacon_agrees},
          {"orderAgrees", !draw.wrong},
          {"firstWrong", draw.wrong ? json{{"place", draw.wrong->place},
                                           {"stands", or_null(draw.wrong->stands)},
                                           {"belongs", or_null(draw.wrong->belongs)}}
                                    : json(nullptr)},
          {"agrees", draw.agrees()}};
}

json draw_json(const draw_report& what, const draw_record& draw) {
  json one{{"state", name_of(draw.is)},
           {"scheduledAt", time_text(draw.scheduled_at)},
           {"commitment", hex_of(draw.commitment)},
           {"beaconSource", draw.source
                                ? json{{"name", draw.source->name}, {"round", draw.source->round}}
                                : json(nullptr)},
           {"beaconGiven", draw.beacon.empty() ? json(nullptr) : json(draw.beacon)},
           {"drawn", draw.is == draw_state::drawn ? drawn_json(draw) : json(nullptr)}};
  if (what.ticket)
    one["place"] = or_null(draw.place);
  return one;
}

std::string named(std::optional<slot_t> slot) {
  return slot ? "ticket " + std::to_string(*slot) : "nobody";
}

void print_drawn(std::ostream& out, const draw_report& what, const draw_record& draw) {
  out << "  drawn       " << time_text(draw.at) << ", position " << draw.position << "\n"
      << "  seed        " << hex_of(draw.seed) << "\n"
      << "  tickets     " << draw.tickets;
  if (draw.tiers.size() > 1)
    for (const auto& tier : draw.tiers)
      out << (&tier == &draw.tiers.front() ? ": " : ", ")
          << (tier.name.empty() ? "general" : tier.name) << " " << tier.tickets;
  out << "\n";
  if (!draw.seed_agrees)
    out << "  the seed is not the one that was committed to\n";
  if (!draw.beacon_agrees)
    out << "  the draw used another beacon: "
        << (draw.beacon_used.empty() ? "none" : draw.beacon_used) << "\n";
  if (draw.wrong)
    out << "  place " << draw.wrong->place << " is wrong: " << named(draw.wrong->stands)
        << " stands where " << named(draw.wrong->belongs) << " belongs\n";
  out << "  recomputed  " << (draw.agrees() ? "agrees" : "DIFFERS") << "\n";
  if (what.ticket)
    out << "  ticket " << *what.ticket
        << (draw.place
                ? ": place " + std::to_string(*draw.place) + " of " + std::to_string(draw.tickets)
                : " was not in the draw")
        << "\n";
}

void print_draw(std::ostream& out, const draw_report& what, const draw_record& draw) {
  out << "\ndraw scheduled " << time_text(draw.scheduled_at) << ", position "
      << draw.scheduled_position << "\n"
      << "  commitment  " << hex_of(draw.commitment) << " (SHA-256 of the seed)\n"
      << "  beacon      ";
  if (draw.source)
    out << draw.source->name << ", round " << draw.source->round << ": "
        << (draw.beacon.empty() ? "not given" : draw.beacon) << "\n";
  else
    out << "none\n";
  if (draw.is == draw_state::ahead)
    out << "  the draw is still ahead\n";
  else if (draw.is == draw_state::called_off)
    out << "  called off\n";
  else
    print_drawn(out, what, draw);
}

} // namespace

void write_draws(std::ostream& out, const draw_report& what, bool as_json) {
  if (as_json) {
    json all{{"show", what.show}, {"agrees", what.exit_code() == 0}};
    if (what.ticket)
      all["ticket"] = *what.ticket;
    all["draws"] = json::array();
    for (const auto& draw : what.draws)
      all["draws"].push_back(draw_json(what, draw));
    out << all.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
    return;
  }
  out << "show " << what.show << "\n";
  for (const auto& draw : what.draws)
    print_draw(out, what, draw);
}

} // namespace usher::storage::audit
