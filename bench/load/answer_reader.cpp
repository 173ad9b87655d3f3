#include "bench/load/answer_reader.hpp"

#include <algorithm>
#include <charconv>

namespace usher::load {

namespace {

constexpr std::size_t head_bytes_max = std::size_t{16} * 1024;
constexpr std::size_t body_bytes_max = std::size_t{64} * 1024 * 1024;
constexpr std::string_view line_end = "\r\n";
constexpr std::string_view head_end = "\r\n\r\n";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// `name` is in lower case.
bool is_name(std::string_view text, std::string_view name) {
  return text.size() == name.size() &&
         std::ranges::equal(text, name, {}, [](char c) { return lower(c); });
}

std::string_view trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos)
    return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

template <class Number>
bool read_number(std::string_view text, Number& into) {
  const auto* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, into);
  return error == std::errc{} && at == end && !text.empty() && text.front() != '-';
}

bool has_no_body(int status) {
  return status == 204 || status == 304;
}

} // namespace

answer_reader::state answer_reader::feed(std::string_view bytes) {
  if (done_)
    reset();
  if (kept_.empty()) {
    const auto how = parse(bytes);
    if (how == state::more) // most answers come in one piece and never get here
      kept_.assign(bytes);
    return how;
  }
  kept_.append(bytes);
  return parse(kept_);
}

answer_reader::state answer_reader::parse(std::string_view bytes) {
  if (head_ == 0) {
    const auto end = bytes.find(head_end);
    if (end == std::string_view::npos)
      return bytes.size() > head_bytes_max ? refuse("a header of more than 16 KiB") : state::more;
    if (!read_head(bytes.substr(0, end)))
      return state::wrong;
    head_ = end + head_end.size();
  }
  if (bytes.size() < head_ + body_)
    return state::more;
  if (bytes.size() > head_ + body_)
    return refuse("more bytes than its Content-Length says");
  answer_.body = bytes.substr(head_);
  done_ = true;
  return state::complete;
}

bool answer_reader::read_head(std::string_view head) {
  constexpr std::string_view version = "HTTP/1.1 ";
  auto line = head.substr(0, head.find(line_end));
  if (!line.starts_with(version) || !read_number(line.substr(version.size(), 3), answer_.status) ||
      answer_.status < 200 || answer_.status > 599)
    return refuse("no status line of HTTP/1.1 with a final status") != state::wrong;
  for (auto at = line.size(); at < head.size(); at += line.size()) {
    at += line_end.size();
    line = head.substr(at, head.find(line_end, at) - at);
    if (!read_field(line))
      return false;
  }
  if (!has_length_ && !has_no_body(answer_.status))
    return refuse("no Content-Length") != state::wrong;
  if (has_no_body(answer_.status))
    body_ = 0;
  return true;
}

bool answer_reader::read_field(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0)
    return refuse("a header line without a name") != state::wrong;
  const auto name = line.substr(0, colon);
  const auto value = trimmed(line.substr(colon + 1));
  if (is_name(name, "content-length")) {
    if (has_length_ || !read_number(value, body_) || body_ > body_bytes_max)
      return refuse("a Content-Length that is no length, or over 64 MiB") != state::wrong;
    has_length_ = true;
  } else if (is_name(name, "transfer-encoding")) {
    return refuse("a Transfer-Encoding, where a Content-Length was expected") != state::wrong;
  } else if (is_name(name, "retry-after")) {
    if (!read_number(value, answer_.retry_after_s))
      return refuse("a Retry-After that is no number of seconds") != state::wrong;
  } else if (is_name(name, "connection")) {
    answer_.closes = is_name(value, "close");
  }
  return true;
}

answer_reader::state answer_reader::refuse(std::string_view why) {
  why_ = why;
  return state::wrong;
}

void answer_reader::reset() {
  answer_ = {};
  kept_.clear();
  done_ = false;
  head_ = body_ = 0;
  has_length_ = false;
  why_ = {};
}

} // namespace usher::load
