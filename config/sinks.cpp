#include "config/sinks.hpp"

#include "http/crypto/standard_webhooks.hpp"
#include "http/outbox/webhook_sink.hpp"
#include "storage/outbox/file_sink.hpp"

#include <spdlog/spdlog.h>

#include <stdexcept>
#include <utility>

namespace usher::config {

namespace {

namespace outbox = storage::outbox;

std::unique_ptr<outbox::sink> make_file(const sink_settings& from, std::function<time_ms()> now) {
  return std::make_unique<outbox::file_sink>(
      outbox::file_sink_options{
          .path = from.path, .rotate_bytes = from.rotate_bytes, .keep = from.keep},
      std::move(now));
}

std::unique_ptr<outbox::sink> make_webhook(const sink_settings& from,
                                           http::client::client_thread& thread,
                                           std::function<time_ms()> now) {
  http::webhook_sink_options options{.name = from.name,
                                     .url = from.url,
                                     .keys = {},
                                     .allow_private = from.allow_private,
                                     .batch_max = from.batch_max,
                                     .ca_file = from.ca_file};
  for (const auto& secret : from.secrets)
    options.keys.push_back(http::standard_webhooks_key(secret).value());
  try {
    return http::open_webhook_sink(std::move(options), thread, std::move(now));
  } catch (const std::invalid_argument& trouble) {
    throw std::runtime_error{"sinks: " + from.name + ": " + trouble.what()};
  }
}

} // namespace

outbox_parts start_sinks(const settings& with, const storage::data_directory& at,
                         const storage::event_log& log, const usher::clock& clock,
                         const storage::opener& open) {
  outbox_parts made;
  if (with.sinks.empty())
    return made;
  const auto now = [&clock] { return clock.now(); };
  outbox::workers::parts parts{.log = &log,
                               .directory = at.root() / "outbox",
                               .now = now,
                               .sinks = {},
                               .warn = [](const std::string& sink, const std::string& what) {
                                 spdlog::warn("sink {}: {}", sink, what);
                               }};
  for (const auto& each : with.sinks) {
    const bool is_file = each.kind == sink_kind::file;
    if (!is_file && !made.thread)
      made.thread = std::make_unique<http::client::client_thread>();
    parts.sinks.push_back(
        {.name = each.name,
         .kind = is_file ? "file" : "webhook",
         .to = is_file ? make_file(each, now) : make_webhook(each, *made.thread, now),
         .wanted = {.types = each.types, .personal_data = each.personal_data, .open = open},
         .from_now = each.from_now});
  }
  made.workers = std::make_unique<outbox::workers>(std::move(parts));
  return made;
}

} // namespace usher::config
