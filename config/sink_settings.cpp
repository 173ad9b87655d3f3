#include "config/sink_settings.hpp"

#include "http/client/base_address.hpp"
#include "http/client/public_address.hpp"
#include "http/crypto/standard_webhooks.hpp"
#include "http/json/fields.hpp"
#include "http/outbox/webhook_sink.hpp"
#include "storage/event_types.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

namespace usher::config {

namespace {

using http::fields;
using nlohmann::json;

constexpr std::size_t name_length_max = 40;
constexpr std::size_t secrets_max = 2; // the one of now, and the one of before or after
constexpr std::int64_t rotate_bytes_min = 4096;
constexpr std::int64_t rotate_bytes_max = std::int64_t{1} << 50;

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !text.empty() && text.size() <= name_length_max && std::ranges::all_of(text, fits);
}

bool is_type(std::string_view name) {
  return std::ranges::any_of(storage::event_types,
                             [&](const auto& each) { return each.name == name; });
}

/// The texts of a list; whatever is none is a fault. Nothing if it is absent or a fault.
std::optional<std::vector<std::string>> texts(fields& from, std::string_view name) {
  const auto* const list = from.find(name);
  if (list == nullptr)
    return std::nullopt;
  const auto is_text = [](const json& each) { return each.is_string(); };
  if (!list->is_array() || !std::ranges::all_of(*list, is_text)) {
    from.add_fault(name, "expected a list of texts");
    return std::nullopt;
  }
  return list->get<std::vector<std::string>>();
}

/// One of a few words, the first if it is absent; whatever else is a fault.
std::string one_of(fields& from, std::string_view name, std::string_view first,
                   std::string_view second) {
  const auto* const value = from.find(name);
  if (value == nullptr)
    return std::string{first};
  if (*value == first || *value == second)
    return value->get<std::string>();
  from.add_fault(name, "expected " + std::string{first} + " or " + std::string{second});
  return {};
}

/// Nothing if there is no such file, which is a fault.
std::optional<std::ifstream> open_file(fields& from, std::string_view name,
                                       const std::string& path) {
  std::ifstream file{path};
  if (file.peek() != std::ifstream::traits_type::eof())
    return file;
  from.add_fault(name, "cannot read '" + path + "', or it is empty");
  return std::nullopt;
}

/// A secret on each line.
std::optional<std::vector<std::string>> secrets_in(fields& from, const std::string& path) {
  auto opened = open_file(from, "secretFile", path);
  if (!opened)
    return std::nullopt;
  auto& file = *opened;
  std::vector<std::string> made;
  for (std::string line; made.size() <= secrets_max && std::getline(file, line);)
    if (!line.empty())
      made.push_back(line);
  return made;
}

void read_secrets(fields& from, sink_settings& into) {
  if (from.has("secrets") == from.has("secretFile"))
    return from.add_fault("secrets", "expected this or secretFile, and not both");
  const auto file = from.text("secretFile", 4096);
  auto found = file ? secrets_in(from, *file) : texts(from, "secrets");
  if (!found)
    return; // which was said
  into.secrets = std::move(*found);
  const auto is_secret = [](const std::string& text) {
    return http::standard_webhooks_key(text).has_value();
  };
  if (into.secrets.empty() || into.secrets.size() > secrets_max ||
      !std::ranges::all_of(into.secrets, is_secret))
    from.add_fault(file ? "secretFile" : "secrets",
                   "expected one or two of the form whsec_ and at least 16 bytes in base64");
}

/// What is wrong with where to send to; empty: nothing that can be known without asking for a name.
std::string fault_of_url(const std::string& url, bool allow_private) {
  const auto read = http::read_webhook_url(url);
  if (!read)
    return "expected an address that begins with https:// (or http://, with allowPrivate), without "
           "a user name";
  const auto at = http::client::read_base_address(read->origin);
  if (allow_private || !at)
    return {};
  if (!at->tls)
    return "http:// is only for addresses that are not public, with allowPrivate";
  boost::system::error_code is_name;
  const auto address = boost::asio::ip::make_address(at->host, is_name);
  if (!is_name && !http::client::is_public(address))
    return at->host + " is not a public address, which takes allowPrivate";
  return {};
}

void read_webhook(fields& from, sink_settings& into) {
  into.allow_private = from.boolean("allowPrivate").value_or(into.allow_private);
  from.require("url");
  if (auto url = from.text("url", 2048)) {
    if (auto fault = fault_of_url(*url, into.allow_private); !fault.empty())
      from.add_fault("url", std::move(fault));
    into.url = std::move(*url);
  }
  read_secrets(from, into);
  into.batch_max =
      static_cast<std::uint32_t>(from.integer("batchMax", 1, 1'000).value_or(into.batch_max));
  into.ca_file = from.text("caFile", 4096).value_or("");
  if (!into.ca_file.empty())
    static_cast<void>(open_file(from, "caFile", into.ca_file));
}

void read_file_sink(fields& from, sink_settings& into) {
  from.require("path");
  if (auto path = from.text("path", 4096)) {
    if (path->empty())
      from.add_fault("path", "expected a file");
    into.path = std::move(*path);
  }
  const auto* const rotate = from.find("rotateBytes");
  if (rotate != nullptr && *rotate == 0)
    into.rotate_bytes = 0;
  else
    into.rotate_bytes =
        static_cast<std::uint64_t>(from.integer("rotateBytes", rotate_bytes_min, rotate_bytes_max)
                                       .value_or(static_cast<std::int64_t>(into.rotate_bytes)));
  into.keep = static_cast<std::uint32_t>(from.integer("keep", 0, 1'000'000).value_or(0));
}

void read_types(fields& from, sink_settings& into) {
  constexpr std::string_view prefix = "usher.";
  for (auto& each : texts(from, "types").value_or(std::vector<std::string>{})) {
    if (each.starts_with(prefix))
      each.erase(0, prefix.size());
    if (!is_type(each))
      from.add_fault("types", "there is no type '" + each + "', see docs/log-format.md");
    into.types.push_back(std::move(each));
  }
}

sink_settings read_sink(fields& from) {
  sink_settings made;
  from.require("name");
  if (auto name = from.text("name")) {
    if (!is_name(*name))
      from.add_fault("name", "expected up to 40 small letters, digits and -");
    made.name = std::move(*name);
  }
  from.require("kind");
  const auto kind = from.has("kind") ? one_of(from, "kind", "file", "webhook") : std::string{};
  if (kind == "file") {
    from.refuse_others(
        {"name", "kind", "types", "personalData", "from", "path", "rotateBytes", "keep"});
    read_file_sink(from, made);
  } else if (kind == "webhook") {
    from.refuse_others({"name", "kind", "types", "personalData", "from", "url", "secrets",
                        "secretFile", "allowPrivate", "batchMax", "caFile"});
    made.kind = sink_kind::webhook;
    read_webhook(from, made);
  }
  read_types(from, made);
  made.personal_data = from.boolean("personalData").value_or(false);
  made.from_now = one_of(from, "from", "start", "now") == "now";
  return made;
}

} // namespace

std::vector<sink_settings> read_sinks(const json& list, std::vector<std::string>& faults) {
  std::vector<http::fault> found;
  std::vector<sink_settings> made;
  std::set<std::string> names;
  std::set<std::filesystem::path> paths;
  const json all{{"sinks", list}};
  fields top{all, found};
  top.each_object("sinks", [&](fields& from) {
    auto sink = read_sink(from);
    if (!sink.name.empty() && !names.insert(sink.name).second)
      from.add_fault("name", "'" + sink.name + "' stands twice");
    const auto path = std::filesystem::path{sink.path}.lexically_normal();
    if (!path.empty() && !paths.insert(path).second)
      from.add_fault("path", "two sinks cannot write one file");
    made.push_back(std::move(sink));
  });
  if (made.size() > sinks_max)
    top.add_fault("sinks", "expected at most " + std::to_string(sinks_max));
  for (const auto& each : found)
    faults.push_back(each.field + ": " + each.what);
  return made;
}

std::string describe(const sink_settings& what) {
  std::ostringstream text;
  text << what.name << ": ";
  if (what.kind == sink_kind::file)
    text << "file " << what.path << ", rotateBytes " << what.rotate_bytes << ", keep " << what.keep;
  else
    // What follows `?` may be a password.
    text << "webhook " << what.url.substr(0, what.url.find('?')) << ", secrets "
         << what.secrets.size() << ", batchMax " << what.batch_max
         << (what.allow_private ? ", allowPrivate" : "")
         << (what.ca_file.empty() ? "" : ", caFile " + what.ca_file);
  text << ", types";
  for (const auto& each : what.types)
    text << ' ' << each;
  text << (what.types.empty() ? " all" : "") << (what.personal_data ? ", personalData" : "")
       << ", from " << (what.from_now ? "now" : "start");
  return text.str();
}

} // namespace usher::config
