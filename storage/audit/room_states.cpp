// What operators and the clock do to a room: its states and settings.

#include "storage/audit/names.hpp"
#include "storage/audit/room_judge.hpp"

#include <algorithm>

namespace usher::storage::audit {

namespace event = waiting_room::event;
using waiting_room::stock;

namespace {

bool has_tier(const waiting_room::settings& set, const std::string& name) {
  return std::ranges::find(set.tiers, name) != set.tiers.end();
}

} // namespace

void room_judge::wrong_state(const std::string& what) const {
  report(fault::room_state_wrong,
         "A room that is " + std::string{status_of(room_)} + " was " + what + ".");
}

// ---- settings

void room_judge::judge_settings(const waiting_room::settings& to) const {
  const auto& was = room_.set;
  const auto fixed = [&](const std::string& what) {
    report(fault::settings_fixed, what + " while the room is " + std::string{status_of(room_)} +
                                      ", when fans may be in already.");
  };
  if (room_.mode == room_mode::prequeue && !to.opens_at)
    fixed("opensAt was taken back");
  const bool is_open = room_.mode == room_mode::open || room_.mode == room_mode::standby;
  if (is_open && to.opens_at && to.opens_at != was.opens_at)
    fixed("Another opensAt was set");
  if (is_open || room_.mode == room_mode::prequeue) {
    if (to.tiers != was.tiers)
      fixed("The tiers were changed");
    if (to.beacon != was.beacon)
      fixed("The beacon was changed");
  }
  const auto lost = std::ranges::find_if(
      room_.code_batches, [&](const code_batch& batch) { return !has_tier(to, batch.tier); });
  if (lost != room_.code_batches.end())
    report(fault::settings_fixed,
           "The tier " + lost->tier + " was taken away, and there are access codes for it.");
}

void room_judge::take(const event::room_configured& e) {
  judge_settings(e.to);
  if (e.was && room_.configured && *e.was != room_.set)
    report(fault::settings_differ, "The settings are said to have been others than they were.");
  const bool same_pace = e.to.admit_per_second_micro == room_.set.admit_per_second_micro &&
                         e.to.tick_ms == room_.set.tick_ms;
  if (!same_pace) { // the bounds are those of stretches of constant settings
    room_.rate = {0, at()};
    room_.ramp = {};
  }
  room_.set = e.to;
  room_.configured = true;
}

// ---- before the opening

void room_judge::take(const event::room_scheduled& e) {
  if (room_.mode != room_mode::off && room_.mode != room_mode::scheduled)
    wrong_state("scheduled");
  else if (!room_.set.opens_at)
    wrong_state("scheduled without an opensAt");
  room_.mode = room_mode::scheduled;
  room_.draw = {e.commitment, room_.set.beacon, {}, false};
}

void room_judge::take(const event::room_unscheduled&) {
  if (room_.mode != room_mode::scheduled)
    wrong_state("unscheduled");
  else if (room_.set.opens_at)
    wrong_state("unscheduled, and has an opensAt");
  room_.mode = room_mode::off;
}

void room_judge::take(const event::prequeue_opened&) {
  if (room_.mode != room_mode::scheduled)
    wrong_state("opened for the prequeue");
  else if (const auto opens_at = room_.set.opens_at;
           !opens_at || at() < *opens_at - room_.set.prequeue_ms)
    report(fault::opened_early, !opens_at ? "The prequeue began, but the room has no opensAt."
                                          : "The prequeue began before its time, which is " +
                                                time_text(*opens_at - room_.set.prequeue_ms) + ".");
  room_.mode = room_mode::prequeue;
}

// ---- open

void room_judge::begin_admitting(room_mode mode) {
  room_.mode = mode;
  room_.paused = false;
  room_.opened_at = at();
}

void room_judge::take(const event::room_opened&) {
  if (room_.mode == room_mode::open)
    wrong_state("opened again");
  const bool was_ahead = room_.mode == room_mode::scheduled || room_.mode == room_mode::prequeue;
  const auto opens_at = room_.set.opens_at;
  if (was_ahead && !after_draw_)
    report(fault::opened_without_draw, "The room opened and the places were not drawn directly "
                                       "before.");
  if (was_ahead && here_.by_clock() && (!opens_at || at() < *opens_at))
    report(fault::opened_early,
           !opens_at ? "The room opened by itself and has no opensAt."
                     : "The room opened by itself before " + time_text(*opens_at) + ".");
  if (after_draw_)
    together_.opened_as_drawn(id_);
  begin_admitting(room_mode::open);
}

void room_judge::take(const event::room_put_on_standby&) {
  const auto status = status_of(room_);
  if (status != "OFF" && status != "OPEN")
    wrong_state("put on standby");
  begin_admitting(room_mode::standby);
}

void room_judge::take(const event::room_paused&) {
  if (room_.mode != room_mode::open || room_.paused || room_.left == stock::sold_out)
    wrong_state(room_.paused ? "paused again" : "paused");
  room_.paused = true;
}

void room_judge::take(const event::room_resumed&) {
  if (room_.mode != room_mode::open || !room_.paused)
    wrong_state("resumed, and nobody had paused it");
  room_.paused = false;
}

void room_judge::take(const event::stock_changed& e) {
  if (room_.mode != room_mode::open && room_.mode != room_mode::standby)
    wrong_state("told what is left of the seats");
  else if (e.left == room_.left)
    wrong_state("told that what is left of the seats changed to what it was");
  room_.left = e.left;
}

// ---- closed

/// An admission spends a code; a place that the room took back does not.
void room_judge::give_codes_back() {
  for (auto& [code, it] : room_.codes)
    if (it.used_by && *it.used_by >= room_.base && !room_.at(*it.used_by).was_admitted)
      it.used_by.reset();
}

void room_judge::take(const event::room_closed&) {
  if (room_.mode == room_mode::off)
    wrong_state("closed");
  give_codes_back();
  room_.mode = room_mode::off;
  room_.paused = false;
  room_.left = stock::on_sale;
  room_.set.opens_at.reset();
  room_.base = room_.joined();
  room_.fans = {};
  room_.lines = {};
  room_.waiting = 0;
  room_.claims.clear();
  room_.active.clear();
  room_.chances.clear();
  room_.chances_over.clear();
  room_.rate = {};
  room_.ramp = {};
}

} // namespace usher::storage::audit
