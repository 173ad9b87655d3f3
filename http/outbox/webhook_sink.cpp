#include "http/outbox/webhook_sink.hpp"

#include "http/client/base_address.hpp"
#include "http/client/request_text.hpp"
#include "http/crypto/standard_webhooks.hpp"
#include "http/outbox/webhook_answer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace usher::http {

namespace {

namespace outbox = storage::outbox;

std::string body_of(const outbox::delivery& what, bool alone) {
  if (alone)
    return what.events.front().json;
  std::string body{"["};
  for (const auto& each : what.events)
    body.append(body.size() > 1 ? ",\n" : "").append(each.json);
  return body + "]";
}

/// Full stops would make the signed text ambiguous; names of sinks have none.
std::string id_of(const std::string& sink, const outbox::delivery& what) {
  return sink + "-0-" + std::to_string(what.events.front().position) + "-" +
         std::to_string(what.events.back().position);
}

} // namespace

std::optional<webhook_target> read_webhook_url(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos)
    return std::nullopt;
  const auto end = std::min(url.find_first_of("/?#", scheme + 3), url.size());
  webhook_target made{.origin = std::string{url.substr(0, end)},
                      .target = std::string{url.substr(end)}};
  if (!made.target.starts_with('/'))
    made.target.insert(0, "/");
  const bool fits = client::read_base_address(made.origin) && client::is_target(made.target) &&
                    made.target.find('#') == std::string::npos;
  return fits ? std::optional{std::move(made)} : std::nullopt;
}

webhook_sink::webhook_sink(webhook_sink_options options, client::sender& out,
                           std::function<time_ms()> now)
    : options_{std::move(options)}, out_{out}, now_{std::move(now)} {
  auto read = read_webhook_url(options_.url);
  if (!read)
    throw std::invalid_argument{"not an http or https address: " + options_.url};
  target_ = std::move(read->target);
}

void webhook_sink::deliver(const outbox::delivery& what, outbox::on_outcome done) {
  const bool alone = options_.batch_max == 1;
  auto body = body_of(what, alone);
  const auto id = id_of(options_.name, what);
  const auto timestamp = std::to_string(now_() / 1000);
  std::string signatures;
  for (const auto& key : options_.keys)
    signatures.append(signatures.empty() ? "" : " ")
        .append(sign_standard_webhook(key, id, timestamp, body));
  client::request asked{
      .method = client::verb::post,
      .target = target_,
      .headers = {{"Content-Type", alone ? "application/cloudevents+json; charset=utf-8"
                                         : "application/cloudevents-batch+json; charset=utf-8"},
                  {"User-Agent", "usher"},
                  {"webhook-id", id},
                  {"webhook-timestamp", timestamp},
                  {"webhook-signature", signatures}},
      .body = std::move(body),
      .idempotent = true,
      .deadline = std::chrono::steady_clock::now() + options_.deadline};
  out_.send(std::move(asked), [now = now_, done = std::move(done)](const client::outcome& got) {
    done(judge_webhook(got, now()));
  });
}

std::unique_ptr<webhook_sink> open_webhook_sink(webhook_sink_options options,
                                                client::client_thread& thread,
                                                std::function<time_ms()> now) {
  const auto read = read_webhook_url(options.url);
  if (!read)
    throw std::invalid_argument{"not an http or https address: " + options.url};
  client::origin_options origin;
  origin.base_url = read->origin;
  origin.ca_file = options.ca_file;
  origin.connections_max = webhook_sink::connections_max;
  origin.connect_timeout = std::chrono::milliseconds{10'000};
  origin.public_only = !options.allow_private;
  auto& out = thread.open(origin);
  return std::make_unique<webhook_sink>(std::move(options), out, std::move(now));
}

} // namespace usher::http
