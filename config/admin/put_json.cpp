#include "config/admin/put_json.hpp"

#include <curl/curl.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace usher::config {

namespace {

constexpr std::size_t answer_bytes_max = std::size_t{1024} * 1024;
constexpr long connect_seconds_max = 10;
constexpr long seconds_max = 120;

/// Called by curl with what came; what is over the limit is dropped.
std::size_t take(const char* bytes, std::size_t size, std::size_t count, void* into) {
  auto& body = *static_cast<std::string*>(into);
  body.append(bytes, std::min(size * count, answer_bytes_max - body.size()));
  return size * count;
}

class header_list {
public:
  ~header_list() { curl_slist_free_all(list_); }
  header_list() = default;
  header_list(header_list&&) = delete;
  header_list& operator=(header_list&&) = delete;

  void add(const std::string& line) { list_ = curl_slist_append(list_, line.c_str()); }
  [[nodiscard]] curl_slist* get() const { return list_; }

private:
  curl_slist* list_ = nullptr;
};

/// Printable; empty if it is none.
std::string text_in(const nlohmann::json& object, const char* name) {
  const bool has = object.is_object() && object.contains(name) && object[name].is_string();
  return has ? printable(object[name].get<std::string>()) : std::string{};
}

} // namespace

std::variant<http_answer, no_answer> send_json(const char* method, const std::string& url,
                                               const std::string& key, const std::string& body) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> call{curl_easy_init(),
                                                                 curl_easy_cleanup};
  if (call == nullptr)
    return no_answer{"the HTTP client cannot be started"};
  header_list headers;
  if (!body.empty())
    headers.add("Content-Type: application/json");
  headers.add("Expect:"); // the body goes at once, without asking
  if (!key.empty())
    headers.add("Authorization: Bearer " + key);
  http_answer got;
  auto* const c = call.get();
  curl_easy_setopt(c, CURLOPT_URL, url.c_str());
  curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(c, CURLOPT_PROXY, "");
  curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, connect_seconds_max);
  curl_easy_setopt(c, CURLOPT_TIMEOUT, seconds_max);
  curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, method);
  if (!body.empty()) {
    curl_easy_setopt(c, CURLOPT_POSTFIELDS, body.c_str());
    curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  }
  curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, &take);
  curl_easy_setopt(c, CURLOPT_WRITEDATA, &got.body);
  const auto outcome = curl_easy_perform(c);
  if (outcome != CURLE_OK)
    return no_answer{curl_easy_strerror(outcome)};
  curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &got.status);
  return got;
}

std::string refusal_text(const http_answer& got) {
  const auto problem = nlohmann::json::parse(got.body, nullptr, false);
  auto text = "the server refused: HTTP " + std::to_string(got.status);
  if (const auto code = text_in(problem, "code"); !code.empty())
    text += " " + code + ": " + text_in(problem, "detail");
  if (problem.is_object() && problem.contains("errors") && problem["errors"].is_array())
    for (const auto& each : problem["errors"])
      text += "\n  " + text_in(each, "field") + ": " + text_in(each, "expected");
  if (got.status == 401 || got.status == 403)
    text += "\nset USHER_OPERATOR_KEY in the environment to a key that may do this";
  return text;
}

std::string printable(std::string text) {
  for (auto& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
      c = '?';
  return text;
}

std::string server_address(std::string url) {
  while (url.ends_with('/'))
    url.pop_back();
  return url;
}

} // namespace usher::config
