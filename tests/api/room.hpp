#pragma once

#include "http/api/call.hpp"
#include "tests/api/api_server.hpp"

#include <caf/send.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// What the cases of the waiting room say often.
namespace usher::test {

using namespace std::chrono_literals;

/// The hall with these settings of its room on top of its own.
inline json hall_where(const json& settings) {
  auto made = hall();
  made["waitingRoom"].update(settings);
  return made;
}

/// A time so far from the server's now, as settings have it.
inline std::string in(std::chrono::milliseconds ahead) {
  return http::time_text(server().clock.now() + ahead.count());
}

inline json room_of(const show& which) {
  return which.description()["waitingRoom"];
}
inline std::string state_of(const show& which) {
  return room_of(which)["state"].get<std::string>();
}
/// "waiting", "absent" or "active".
inline int count_of(const show& which, const std::string& what) {
  return room_of(which)[what].get<int>();
}

/// POST …/waiting-room/`what` with the operator's key.
inline said operate(const show& which, const std::string& what, const json& body = nullptr) {
  return server().post(which.room(what), body, {.key = "operator-key"});
}
inline said set(const show& which, const json& settings) {
  return server().patch(which.path + "/waiting-room", settings);
}

inline said join_as(const show& which, const json& body, const extra& with = {}) {
  return server().post(which.room("join"), body, with);
}
inline said customer_joins(const show& which, const std::string& customer, extra with = {}) {
  with.key = "service-key";
  return join_as(which, {{"customerId", customer}}, with);
}
/// The ticket of an anonymous join.
inline std::string ticket_of(const show& which) {
  return which.join().text("ticketId");
}
inline said leave(const show& which, const std::string& ticket) {
  return server().del(which.room("tickets/" + ticket));
}
inline int position_of(const show& which, const std::string& ticket) {
  const auto got = which.ticket(ticket);
  return got.body.contains("position") ? got.body["position"].get<int>() : 0;
}

inline bool becomes(const show& which, const std::string& state) {
  return eventually([&] { return state_of(which) == state; });
}
inline bool counts(const show& which, const std::string& what, int many) {
  return eventually([&] { return count_of(which, what) == many; });
}
/// Asking for a ticket is a sign of life of its fan.
inline bool is_let_in(const show& which, const std::string& ticket) {
  return eventually([&] { return which.ticket(ticket).text("status") == "ADMITTED"; });
}

/// Opens a scheduled room by the clock: moves opensAt to a moment ahead and waits for it.
inline bool opens_by_itself(const show& which) {
  return eventually([&] {
           return set(which, {{"opensAt", in(300ms)}}).status == 200;
         }) &&
         becomes(which, "OPEN");
}

/// So many anonymous fans in one message, in this order: their tickets.
inline std::vector<std::string> join_many(const show& which, std::size_t fans) {
  auto& entry = *server().app.shows->find(which.id);
  std::promise<std::vector<waiting_room::join_answer>> promised;
  auto batch = std::make_shared<waiting_room::join_batch>();
  for (std::size_t i = 0; i < fans; ++i) {
    waiting_room::command::joiner fan;
    fan.nonce = http::random_bits();
    batch->fans.push_back(fan);
  }
  batch->cause.who = "fan";
  batch->done = [&promised](auto answers) { promised.set_value(std::move(answers)); };
  caf::anon_send(entry.room, std::move(batch));
  std::vector<std::string> tickets;
  for (const auto& each : promised.get_future().get()) {
    const auto& place = std::get<waiting_room::place>(each);
    tickets.push_back(server().app.tickets.write({entry.number, place.slot, place.nonce}));
  }
  return tickets;
}

/// A server of its own in the place of the one that all cases share, as long as this lives.
class own_server {
public:
  explicit own_server(http::api_options options = {}, duration_ms map_interval_ms = 0,
                      gateway_parts parts = {})
      : other_{
            std::make_unique<api_server>(std::move(options), map_interval_ms, std::move(parts))} {
    the_server_slot().swap(other_);
  }
  ~own_server() { restore(); }
  own_server(const own_server&) = delete;
  own_server& operator=(const own_server&) = delete;

  /// Ends it; what its log has about a show's room.
  std::vector<storage::stored_record> end(const show& about) {
    const auto log = server().log();
    restore();
    std::vector<storage::stored_record> records;
    const auto failed = log->replay(1, [&](const storage::stored_record& each) {
      if (each.subject == "queue/" + about.id)
        records.push_back(each);
      return true;
    });
    if (failed)
      throw std::runtime_error{failed->what};
    return records;
  }

private:
  void restore() {
    if (std::exchange(ended_, true))
      return;
    the_server_slot().swap(other_);
    other_.reset();
  }

  std::unique_ptr<api_server> other_;
  bool ended_ = false;
};

} // namespace usher::test
