#include "http/client/pool.hpp"

#include "http/client/exchange.hpp"
#include "http/client/request_text.hpp"

#include <algorithm>
#include <stdexcept>

namespace usher::http::client {

namespace {

base_address address_or_throw(const std::string& url) {
  auto address = read_base_address(url);
  if (!address)
    throw std::invalid_argument{"not an http or https address: " + url};
  return std::move(*address);
}

failure not_sent(const char* why) {
  return {fault::not_sent, why};
}

} // namespace

pool::pool(loop& in, const origin_options& options)
    : loop_{in},
      options_{options},
      address_{address_or_throw(options.base_url)},
      sweep_timer_{in.context()} {
  if (address_.tls)
    tls_.emplace(make_tls_context(options_.ca_file));
}

void pool::send(request asked, on_outcome done) {
  auto text = request_text(asked, address_);
  if (!text)
    return done(not_sent("bad-request"));
  auto one = std::make_shared<exchange>(*this, std::move(*text), asked.idempotent, asked.deadline,
                                        std::move(done));
  if (!loop_.post([this, one] { enter(one); }))
    one->refuse(not_sent("stopping"));
}

void pool::enter(std::shared_ptr<exchange> one) {
  if (one->is_late())
    return one->refuse(not_sent("timeout"));
  if (waiting_.size() >= options_.waiting_max)
    return one->refuse(not_sent("too-many-waiting"));
  live_.insert(one);
  one->watch_deadline();
  waiting_.push_back(std::move(one));
  let_in();
}

void pool::let_in() {
  while (!stopped_ && !waiting_.empty() && places_taken_ < options_.connections_max) {
    auto one = std::move(waiting_.front());
    waiting_.pop_front();
    ++places_taken_;
    one->start();
  }
}

std::shared_ptr<wire> pool::kept_wire() {
  while (!idle_.empty()) {
    auto kept = std::move(idle_.back());
    idle_.pop_back();
    if (clock::now() < kept.until && kept.wire->is_quiet())
      return std::move(kept.wire);
    kept.wire->close();
  }
  return nullptr;
}

std::shared_ptr<wire> pool::fresh_wire() {
  return make_wire(loop_.context(), tls_ ? &*tls_ : nullptr, address_);
}

void pool::leave(const std::shared_ptr<exchange>& one, std::shared_ptr<wire> kept, bool had_place) {
  live_.erase(one);
  std::erase(waiting_, one);
  if (had_place)
    --places_taken_;
  if (kept && !stopped_) {
    idle_.push_back({std::move(kept), clock::now() + options_.idle_max});
    sweep_later();
  }
  let_in();
}

void pool::sweep_later() {
  if (sweeping_ || idle_.empty())
    return;
  sweeping_ = true;
  sweep_timer_.expires_at(idle_.front().until);
  sweep_timer_.async_wait([this](boost::system::error_code cancelled) {
    sweeping_ = false;
    if (!cancelled)
      sweep();
  });
}

void pool::sweep() {
  std::erase_if(idle_, [now = clock::now()](const idle_wire& one) {
    if (now < one.until)
      return false;
    one.wire->close();
    return true;
  });
  sweep_later();
}

void pool::stop() {
  stopped_ = true;
  while (!live_.empty())
    (*live_.begin())->stop();
  for (const auto& one : idle_)
    one.wire->close();
  idle_.clear();
  sweep_timer_.cancel();
}

} // namespace usher::http::client
