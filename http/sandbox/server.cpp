#include "http/sandbox/server.hpp"

#include "http/sandbox/form.hpp"
#include "http/sandbox/wire.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <cctype>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace usher::sandbox {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using tcp = asio::ip::tcp;

constexpr const char* rule_header = "sandbox-rule";

time_ms now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string lower(std::string_view text) {
  std::string made{text};
  for (auto& c : made)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return made;
}

call read_call(const wire::request& asked, const std::string& base) {
  call made;
  made.method = std::string{asked.method_string()};
  const std::string target{asked.target()};
  const auto question = target.find('?');
  made.path = target.substr(0, question);
  if (question != std::string::npos)
    made.query = read_form(std::string_view{target}.substr(question + 1));
  for (const auto& each : asked)
    made.headers[lower(std::string_view{each.name_string().data(), each.name_string().size()})] =
        std::string{each.value()};
  made.body = asked.body();
  made.base = base;
  made.at = now_ms();
  return made;
}

wire::response to_response(const answer& what, bool keep_alive) {
  wire::response made{static_cast<beast::http::status>(what.status), 11};
  made.set(beast::http::field::content_type, what.type);
  made.set(beast::http::field::server, "usher-sandbox-gateway");
  made.keep_alive(keep_alive);
  made.body() = what.body;
  return made;
}

answer plain_error(unsigned status, const std::string& why) {
  return {status, "{\"error\":\"" + why + "\"}"};
}

} // namespace

struct server::listener {
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
};

struct server::connection {
  wire line;
  std::thread thread;
  std::atomic<bool> finished{false};
};

server::server(const std::string& host, std::uint16_t port)
    : listener_{std::make_unique<listener>()} {
  beast::error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (error)
    throw std::runtime_error{"'" + host + "' is no address to listen on"};
  const tcp::endpoint wanted{address, port};
  auto& acceptor = listener_->acceptor;
  acceptor.open(wanted.protocol(), error);
  if (!error)
    acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error)
    acceptor.bind(wanted, error);
  if (!error)
    acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw std::runtime_error{"cannot listen on " + host + ":" + std::to_string(port) + ": " +
                             error.message()};
  const auto shown = address.is_v6() ? "[" + host + "]" : host;
  port_ = acceptor.local_endpoint().port();
  base_ = "http://" + shown + ":" + std::to_string(port_);
}

server::~server() {
  stop();
}

void server::start(handler answers, post_office& office) {
  answers_ = std::move(answers);
  office_ = &office;
  accept_next();
  thread_ = std::thread{[this] { listener_->io.run(); }};
}

void server::accept_next() {
  auto next = std::make_shared<std::unique_ptr<connection>>(std::make_unique<connection>());
  auto& socket = (*next)->line.socket();
  listener_->acceptor.async_accept(socket, [this, next](beast::error_code error) {
    if (error == asio::error::operation_aborted)
      return;
    drop_finished();
    {
      const std::lock_guard lock{mutex_};
      if (stopping_)
        return;
      if (!error && connections_.size() < connections_max) {
        auto& kept = *connections_.emplace_back(std::move(*next));
        kept.thread = std::thread{[this, &kept] {
          serve(kept);
          kept.finished = true;
        }};
      }
    }
    accept_next();
  });
}

void server::drop_finished() {
  std::list<std::unique_ptr<connection>> over;
  {
    const std::lock_guard lock{mutex_};
    for (auto each = connections_.begin(); each != connections_.end();) {
      const auto next = std::next(each);
      if ((*each)->finished)
        over.splice(over.end(), connections_, each);
      each = next;
    }
  }
  for (auto& each : over)
    each->thread.join();
}

void server::serve(connection& with) {
  while (serve_one(with)) {
  }
  with.line.finish();
}

bool server::serve_one(connection& with) {
  auto got = with.line.read();
  if (!got.asked) {
    if (got.fault != 0)
      with.line.write(to_response(plain_error(got.fault, "the request is no good"), false));
    return false;
  }
  const bool keep_alive = got.asked->keep_alive();
  auto asked = read_call(*got.asked, base_);
  if (const auto named = asked.header(rule_header); !named.empty()) {
    asked.rule = read_fault(named);
    if (!asked.rule)
      return deliver(with, {.what = plain_error(400, "Sandbox-Rule is none of: " + rule_names())},
                     keep_alive);
  }
  delivery made;
  try {
    made = answers_(std::move(asked));
  } catch (const std::exception& trouble) {
    std::fprintf(stderr, "usher sandbox-gateway: %s\n", trouble.what());
    made = {.what = plain_error(500, "the gateway itself failed; its stderr says why")};
  }
  return deliver(with, std::move(made), keep_alive);
}

bool server::deliver(connection& with, delivery what, bool keep_alive) {
  for (auto& each : what.before_answer)
    office_->post_and_wait(std::move(each));
  if (what.delay_ms > 0 && !with.line.pause(std::chrono::milliseconds{what.delay_ms}))
    return false;
  bool goes_on = false;
  if (what.how == manner::answer)
    goes_on = with.line.write(to_response(what.what, keep_alive)) && keep_alive;
  if (what.how == manner::reset)
    with.line.reset();
  for (auto& each : what.after_answer)
    office_->post(std::move(each));
  if (what.how == manner::silence)
    with.line.ignore_until_closed(wire::silence_max);
  return goes_on;
}

void server::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  listener_->io.stop();
  if (thread_.joinable())
    thread_.join();
  for (auto& each : connections_)
    each->line.end();
  for (auto& each : connections_)
    each->thread.join();
  connections_.clear();
  beast::error_code ignored;
  listener_->acceptor.close(ignored);
}

} // namespace usher::sandbox
