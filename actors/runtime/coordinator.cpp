#include "actors/runtime/coordinator.hpp"

#include <caf/send.hpp>

#include <cassert>
#include <iterator>
#include <utility>

namespace usher::runtime {

void coordinator::begin(undertaking what) {
  const auto id = ++last_id_;
  auto& current = running_[id];
  current.what = std::move(what);
  next(id, current);
}

void coordinator::after_durable(std::function<void()> then) const {
  caf::anon_send(journal_, journal::make_barrier(std::move(then)));
}

void coordinator::handle(const reserved& message) {
  const auto found = running_.find(message.id);
  assert(found != running_.end());
  auto& current = found->second;
  current.reserved.push_back(current.asked - 1);
  std::move(message.entries->begin(), message.entries->end(),
            std::back_inserter(current.what.entries));
  next(message.id, current);
}

void coordinator::handle(const refused& message) {
  const auto found = running_.find(message.id);
  assert(found != running_.end());
  auto& current = found->second;
  current.refusals.insert(current.refusals.end(), message.seats.begin(), message.seats.end());
  next(message.id, current); // ask on: the answer names every seat in the way
}

void coordinator::next(undertaking_id id, run& current) {
  if (current.asked < current.what.blocks.size()) {
    auto& step = current.what.blocks[current.asked++];
    caf::anon_send(step.block,
                   reserve{id, std::move(step.what), current.what.cause, current.what.now, self_});
    return;
  }
  if (current.refusals.empty()) {
    conclude(id, current);
    return;
  }
  release_all(id, current);
  const auto tell = std::move(current.what.refused);
  const auto refusals = std::move(current.refusals);
  running_.erase(id);
  tell(refusals);
}

void coordinator::conclude(undertaking_id id, run& current) {
  auto batch = journal::make_append(std::move(current.what.entries),
                                    [self = self_, id] { caf::anon_send(self, durable{id}); });
  if (current.what.room) {
    auto& step = *current.what.room;
    caf::anon_send(step.room, runtime::conclude{id, std::move(step.what), std::move(batch),
                                                current.what.cause, self_});
    return;
  }
  caf::anon_send(journal_, std::move(batch));
  agree(id, current);
}

void coordinator::handle(const concluded& message) {
  const auto found = running_.find(message.id);
  assert(found != running_.end());
  auto& current = found->second;
  if (!message.denied) {
    agree(message.id, current);
    return;
  }
  release_all(message.id, current);
  const auto tell = std::move(current.what.denied);
  running_.erase(found);
  tell(*message.denied);
}

void coordinator::agree(undertaking_id id, run& current) {
  current.agreed = true;
  for (const auto block : current.reserved)
    caf::anon_send(current.what.blocks[block].block, commit{id});
  const auto agreed = std::move(current.what.agreed);
  const bool was_durable = current.durable;
  agreed(); // may begin another undertaking: `current` is not used after this
  if (was_durable)
    handle(durable{id});
}

void coordinator::handle(const durable& message) {
  const auto found = running_.find(message.id);
  assert(found != running_.end());
  if (!found->second.agreed) { // the journal was faster than the room's answer
    found->second.durable = true;
    return;
  }
  const auto tell = std::move(found->second.what.durable);
  running_.erase(found);
  tell();
}

void coordinator::release_all(undertaking_id id, const run& current) const {
  for (const auto block : current.reserved)
    caf::anon_send(current.what.blocks[block].block, release{id});
}

} // namespace usher::runtime
