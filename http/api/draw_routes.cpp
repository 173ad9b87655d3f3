#include "http/api/draw_pages.hpp"
#include "http/api/routes.hpp"
#include "http/crypto/crypto.hpp"

#include <span>

// GET …/waiting-room/draw: what anybody needs to check the draw. docs/draw.md says how.
namespace usher::http {

namespace {

ordered_json tiers_json(const waiting_room::draw_notice& draw) {
  auto tiers = ordered_json::array();
  for (const auto& tier : draw.tiers) {
    auto ranges = ordered_json::array();
    for (const auto& [first, last] : tier.tickets)
      ranges.push_back({first, last});
    tiers.push_back({{"tier", tier.name.empty() ? ordered_json(nullptr) : ordered_json(tier.name)},
                     {"count", tier.count},
                     {"tickets", std::move(ranges)}});
  }
  return tiers;
}

ordered_json draw_json(const shows::show_entry& show, const waiting_room::draw_notice& draw) {
  const auto& set = show.board->notices().set;
  ordered_json body{{"showId", show.id},
                    {"status", draw.done ? "DRAWN" : "COMMITTED"},
                    {"commitment", to_hex(draw.commitment)}};
  body["beacon"] = nullptr;
  if (draw.source)
    body["beacon"] = {
        {"source", draw.source->name},
        {"round", draw.source->round},
        {"value", draw.beacon.empty() ? ordered_json(nullptr) : ordered_json(draw.beacon)}};
  if (!draw.done) {
    if (set.opens_at)
      body["opensAt"] = time_text(*set.opens_at);
    return body;
  }
  body["seed"] = to_hex(draw.seed);
  body["drawnAt"] = time_text(draw.drawn_at);
  body["tiers"] = tiers_json(draw);
  return body;
}

} // namespace

std::shared_ptr<const draw_pages::page> draw_pages::of(const shows::show_entry& show) {
  const auto& draw = show.board->notices().draw;
  if (!draw)
    return nullptr;
  const std::lock_guard lock{mutex_};
  auto& known = pages_[show.number];
  // An opening that is moved changes what is shown of a draw that is ahead: that is short.
  if (known && known->of == draw && draw->done)
    return known;
  auto made = std::make_shared<page>();
  made->of = draw;
  made->body = draw_json(show, *draw).dump();
  const auto digest = sha256(made->body);
  made->etag = "\"" + to_hex(std::span{digest}.first<16>()) + "\"";
  return known = std::move(made);
}

namespace handlers {

void get_draw(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto page = at.with.draws.of(*show);
  if (!page)
    return send_problem(at, 404, "no-draw",
                        "No draw is scheduled for this show: its waiting room has no opensAt.");
  send_shared(at, {page, &page->body}, page->etag);
}

} // namespace handlers

} // namespace usher::http
