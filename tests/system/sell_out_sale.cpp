#include "tests/system/sell_out_sale.hpp"

#include "tests/system/sell_out_fan.hpp"
#include "tests/system/server_process.hpp"

#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace usher::test::sell_out {

using namespace std::chrono_literals;

namespace {

constexpr auto patience = 60s; ///< for the next answer
const std::string show_path = "/v1/shows/" + show;
const header_map operators_own{{"Authorization", "Bearer " + operator_key}};

} // namespace

const world& sale::run() {
  spawn(open_doors());
  spawn(look_at_map());
  spawn(tell_progress());
  spawn(let_fans_come());
  runs_.run();
  return shared_;
}

void sale::spawn(task<void> what) {
  boost::asio::co_spawn(runs_, std::move(what), [this](const std::exception_ptr& trouble) {
    if (!trouble)
      return;
    try {
      std::rethrow_exception(trouble);
    } catch (const std::exception& why) {
      shared_.complain(why.what());
      shared_.stopped = true;
    }
  });
}

task<void> sale::let_fans_come() {
  for (std::uint32_t n = 0; n < fans_at_once_; ++n) {
    auto& place = places_.emplace_back(runs_, port_);
    co_await place.connect();
    spawn(serve(place));
  }
}

task<void> sale::serve(async_client& place) {
  ++running_;
  co_await serve_fans(shared_, place);
  --running_;
}

task<void> sale::open_doors() {
  async_client as_operator{runs_, port_};
  while (shared_.fans < fans_at_once_ && !shared_.stopped)
    co_await pause_for(20ms);
  const json fast{{"admitPerSecond", 100'000}};
  const auto opened =
      co_await as_operator.call("PATCH", show_path + "/waiting-room", fast, operators_own);
  if (opened.status != 200)
    throw std::runtime_error("opening the doors: " + opened.text);
  while (shared_.admitted < fans_at_once_ && !shared_.stopped)
    co_await pause_for(20ms);
  const auto now = co_await as_operator.call("GET", show_path);
  if (now.body.at("waitingRoom").at("active") != fans_at_once_)
    throw std::runtime_error("not all are inside: " + now.text);
  std::cerr << fans_at_once_ << " fans are inside\n";
  shared_.on_sale = true;
}

task<void> sale::look_at_map() {
  async_client server{runs_, port_};
  while (!is_done()) {
    std::string since;
    if (shared_.map_version != 0)
      since = "?since=" + std::to_string(shared_.map_version);
    const auto got = co_await server.call("GET", show_path + "/seats" + since);
    if (got.status != 200)
      throw std::runtime_error("the map: " + got.text);
    shared_.see(got.body);
    co_await pause_for(1s);
  }
}

task<void> sale::tell_progress() {
  const auto begun = std::chrono::steady_clock::now();
  progress last{begun};
  auto last_answer = begun;
  while (!is_done()) {
    co_await pause_for(2s);
    const progress now{std::chrono::steady_clock::now(), shared_.ledger.now(),
                       shared_.ledger.sold()};
    tell(now.at - begun, last, now);
    if (now.now > last.now + 1) // our own look counts too
      last_answer = now.at;
    else if (now.at > last_answer + patience) {
      shared_.complain(std::to_string(running_) + " fans are not answered");
      runs_.stop();
      co_return;
    }
    last = now;
  }
}

void sale::tell(std::chrono::duration<double> after, const progress& last,
                const progress& now) const {
  const std::chrono::duration<double> took = now.at - last.at;
  std::cerr << std::fixed << std::setprecision(0) << std::setw(4) << after.count()
            << " s: " << now.sold << " sold, "
            << static_cast<double>(now.sold - last.sold) / took.count() << " a second; "
            << shared_.fans << " fans came, " << shared_.inside << " are inside; "
            << static_cast<double>(now.now - last.now) / 2 / took.count() << " calls a second\n";
}

} // namespace usher::test::sell_out
