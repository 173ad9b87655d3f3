#include "config/customer_token_keys.hpp"

#include "http/api/fields.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace usher::config {

namespace {

using http::token_algorithm;
using http::token_key;
using nlohmann::json;

constexpr std::size_t file_bytes_max = 64UL * 1024;
constexpr std::size_t text_bytes_max = 16UL * 1024; ///< of a key within the file
constexpr std::size_t keys_max = 16;

/// Nothing if it cannot be read or is larger than any file that belongs here.
std::optional<std::string> read_text(const std::filesystem::path& path) {
  std::error_code trouble;
  std::ifstream file{path, std::ios::binary};
  if (!file || !std::filesystem::is_regular_file(path, trouble))
    return std::nullopt;
  std::string text(file_bytes_max + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text.size() <= file_bytes_max ? std::optional{std::move(text)} : std::nullopt;
}

/// Editors and `openssl rand -base64 32` end a file with a newline.
std::string without_newline(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.pop_back();
  return text;
}

/// A key's text stands in the file or in another one. The members' names depend on the kind.
struct source {
  std::string inline_name;
  std::string file_name;
};

source source_for(token_algorithm algorithm) {
  if (algorithm == token_algorithm::hs256)
    return {"secret", "secretFile"};
  return {"publicKey", "publicKeyFile"};
}

class key_file {
public:
  explicit key_file(std::filesystem::path path) : path_{std::move(path)} {}

  void read() {
    const auto text = read_text(path_);
    if (!text)
      return add_fault("cannot be read as a file of at most " + std::to_string(file_bytes_max) +
                       " bytes");
    const auto body = json::parse(*text, nullptr, false);
    if (!body.is_object())
      return add_fault("is not a JSON object");
    http::fields from{body, found_};
    from.refuse_others({"issuer", "audience", "keys"});
    options_.issuer = not_empty(from, "issuer").value_or("");
    options_.audience = not_empty(from, "audience").value_or(options_.audience);
    read_keys(from);
  }

  std::variant<customer_tokens, faults> take() {
    for (const auto& each : found_)
      add_fault(each.field + ": " + each.what);
    if (!sentences_.empty())
      return std::move(sentences_);
    return std::make_unique<http::customer_token_verifier>(std::move(options_));
  }

private:
  void add_fault(const std::string& what) {
    sentences_.push_back("customerTokenKeys: " + path_.string() + ": " + what);
  }

  /// A text that is not empty; nothing if it is absent or a fault was noted.
  std::optional<std::string> not_empty(http::fields& from, std::string_view name,
                                       std::size_t bytes_max = 256) {
    auto text = from.text(name, bytes_max);
    if (text && text->empty())
      from.add_fault(name, "expected a text that is not empty");
    return text && !text->empty() ? std::move(text) : std::nullopt;
  }

  void read_keys(http::fields& from) {
    const auto* list = from.find("keys");
    if (list == nullptr || !list->is_array() || list->empty() || list->size() > keys_max)
      return from.add_fault("keys",
                            "expected a list of 1 to " + std::to_string(keys_max) + " keys");
    for (std::size_t i = 0; i < list->size(); ++i) {
      const auto where = "keys[" + std::to_string(i) + "]";
      if ((*list)[i].is_object())
        read_key(http::fields{(*list)[i], found_, where});
      else
        from.add_fault(where, "expected an object");
    }
  }

  void read_key(http::fields from) {
    from.refuse_others({"kid", "algorithm", "publicKey", "publicKeyFile", "secret", "secretFile"});
    from.require("kid");
    const auto kid = not_empty(from, "kid");
    const auto is_kid = [&](const http::named_token_key& each) { return each.kid == kid; };
    if (kid && std::any_of(options_.keys.begin(), options_.keys.end(), is_kid))
      from.add_fault("kid", "'" + *kid + "' stands twice");
    const auto name = from.text("algorithm");
    const auto algorithm = name ? http::read_token_algorithm(*name) : std::nullopt;
    if (!algorithm)
      return from.add_fault("algorithm", "expected ES256, RS256, EdDSA or HS256");
    auto key = read_material(from, *algorithm);
    if (kid && key)
      options_.keys.push_back({*kid, std::move(*key)});
  }

  /// The key itself, from its one source.
  std::optional<token_key> read_material(http::fields& from, token_algorithm algorithm) {
    const auto [inline_name, file_name] = source_for(algorithm);
    for (const auto* other : {"publicKey", "publicKeyFile", "secret", "secretFile"})
      if (other != inline_name && other != file_name && from.has(other))
        from.add_fault(other, "does not go with " + std::string{to_string(algorithm)});
    if (from.has(inline_name) == from.has(file_name)) {
      from.add_fault(inline_name, "expected this or " + file_name + ", and not both");
      return std::nullopt;
    }
    const auto& name = from.has(inline_name) ? inline_name : file_name;
    auto text = not_empty(from, name, text_bytes_max);
    if (text && name == file_name) {
      // The directory of this file, so that it can be moved together with what it names.
      const auto path = path_.parent_path() / *text;
      text = read_text(path);
      if (!text)
        from.add_fault(name, "cannot read '" + path.string() + "'");
    }
    if (!text)
      return std::nullopt;
    auto read = token_key::read(algorithm, without_newline(std::move(*text)));
    if (const auto* fault = std::get_if<std::string>(&read)) {
      from.add_fault(name, *fault);
      return std::nullopt;
    }
    return std::get<token_key>(std::move(read));
  }

  std::filesystem::path path_;
  http::customer_token_options options_;
  std::vector<http::fault> found_;
  faults sentences_;
};

} // namespace

std::variant<customer_tokens, faults> read_customer_token_keys(const std::string& path) {
  if (path.empty())
    return customer_tokens{};
  key_file file{path};
  file.read();
  return file.take();
}

} // namespace usher::config
