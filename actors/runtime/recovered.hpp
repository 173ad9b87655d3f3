#pragma once

#include "actors/access/event.hpp"
#include "actors/orders/state.hpp"
#include "actors/payments/state.hpp"
#include "actors/seating/board.hpp"
#include "actors/seating/state.hpp"
#include "actors/shows/state.hpp"
#include "actors/waiting_room/board.hpp"
#include "actors/waiting_room/state.hpp"
#include "storage/event_log.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace usher::runtime {

struct recovered_block {
  seating::state block;
  std::shared_ptr<seating::board> board = std::make_shared<seating::board>();
};

struct recovered_show {
  waiting_room::state room;
  std::shared_ptr<waiting_room::board> room_board = std::make_shared<waiting_room::board>();
  orders::state desk;
  std::map<block_id, recovered_block> blocks;
};

/// Everything that the log tells: what each actor starts with.
struct recovered {
  shows::state directory;
  std::map<show_id, recovered_show> shows;
  orders::state cashier; ///< payments without a show
  std::vector<access::event::key_created> keys;
  std::map<std::string, payments::breaker_state> breakers; ///< by gateway, if it ever changed
  time_ms last_at = 0;                                     ///< latest time in the log
};

/// What the log tells up to a position.
struct fold {
  recovered world;
  storage::position_t at = 0; ///< of the last record that is in it
};

/// Goes on from `from` to where the log ends at the call; asks before every record whether to, and
/// stops there if not, perhaps within a batch. Fails on the first record that cannot be read, and
/// says where. Any thread; the events pass through the same code whoever asks.
[[nodiscard]] std::variant<fold, storage::failure>
fold_on(fold from, const storage::event_log& log,
        const std::function<bool(storage::position_t next)>& go_on);

/// Called now and then during a long replay.
using progress = std::function<void(storage::position_t done, storage::position_t total)>;

/// Replays the log, the whole of it or what comes after `from`. Fails also if what it tells is not
/// complete.
[[nodiscard]] std::variant<recovered, storage::failure>
recover(const storage::event_log& log, const progress& report, fold from = {});

} // namespace usher::runtime
