#include "http/api/join_desk.hpp"

#include <caf/send.hpp>

#include <utility>

namespace usher::http {

void join_desks::add(reply& on, shows::show_entry& show, const std::string& who, join_wish wish) {
  auto& here = desks_[on.io_thread_index()];
  here.wishes[{&show, who}].push_back(std::move(wish));
  if (!std::exchange(here.flush_due, true))
    on.at_end_of_turn([&here] { flush(here); });
}

void join_desks::flush(desk& of) {
  of.flush_due = false;
  for (auto& [to, wishes] : std::exchange(of.wishes, {})) {
    auto batch = std::make_shared<waiting_room::join_batch>();
    batch->cause.who = to.who;
    batch->fans.reserve(wishes.size());
    for (const auto& wish : wishes)
      batch->fans.push_back(wish.fan);
    batch->done = [wishes = std::move(wishes)](const std::vector<waiting_room::join_answer>& got) {
      for (std::size_t i = 0; i < wishes.size(); ++i)
        wishes[i].done(got[i]);
    };
    caf::anon_send(to.show->room, std::move(batch));
  }
}

} // namespace usher::http
