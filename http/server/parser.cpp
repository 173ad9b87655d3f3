#include "http/server/parser.hpp"

#include "http/server/ascii.hpp"
#include "http/server/options.hpp"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <functional>
#include <new>
#include <utility>

namespace usher::http {
namespace {

namespace beast_http = boost::beast::http;
using boost::beast::string_view;
using boost::system::error_code;

std::string_view std_view(string_view s) {
  return {s.data(), s.size()};
}

bool has_control(std::string_view s) {
  return std::any_of(s.begin(), s.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
  });
}

bool is_host_char(char c) {
  return is_alnum(c) || std::string_view("-._~%:[]").find(c) != std::string_view::npos;
}

bool is_decimal(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

http::method method_of(beast_http::verb verb) {
  switch (verb) {
  case beast_http::verb::get:
    return method::get;
  case beast_http::verb::head:
    return method::head;
  case beast_http::verb::post:
    return method::post;
  case beast_http::verb::put:
    return method::put;
  case beast_http::verb::patch:
    return method::patch;
  case beast_http::verb::delete_:
    return method::delete_;
  case beast_http::verb::options:
    return method::options;
  default:
    return method::other;
  }
}

} // namespace

/// Beast's grammar; stores offsets of what is wanted and refuses what the gate must not let
/// through. A refusal leaves its reason in the owner; the error code then only stops Beast.
class parser::machine final : public beast_http::basic_parser<true> {
public:
  explicit machine(parser& owner) : owner_(owner) {
    eager(true);
    body_limit(boost::none);  // set per route, once the header is known
    header_limit(UINT32_MAX); // the scan before us has counted
  }

  /// Of the next put: views into other memory were unfolded by Beast.
  void feeding(std::string_view input, std::size_t offset) {
    input_ = input;
    offset_ = offset;
  }

private:
  void stop(error_code& ec, std::string detail) {
    owner_.refuse(std::move(detail));
    ec = beast_http::error::bad_field;
  }

  [[nodiscard]] span span_of(string_view s) const {
    const auto at = static_cast<std::size_t>(s.data() - input_.data()) + offset_;
    return {static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(s.size())};
  }

  /// Beast joins folded lines, some in a buffer of its own, some by skipping the line end.
  [[nodiscard]] bool is_folded(string_view name, string_view value) const {
    const auto* first = input_.data();
    const auto* last = first + input_.size();
    const auto* colon = name.data() + name.size();
    if (std::less<>{}(value.data(), colon) || std::less<>{}(last, value.data()))
      return true;
    return std::find(colon, value.data(), '\r') != value.data();
  }

  void keep(slot which, string_view value) {
    if ((owner_.seen_ & (1U << which)) != 0)
      return;
    owner_.seen_ |= 1U << which;
    owner_.values_[which] = span_of(value);
  }

  void keep_extension(string_view name, string_view value) {
    const auto n = std_view(name);
    if (iequals(n, "X-Admission-Ticket"))
      keep(admission_ticket, value);
    else if (iequals(n, "X-Queue-Token"))
      keep(queue_token, value);
    else if (iequals(n, "Idempotency-Key"))
      keep(idempotency_key, value);
    else if (iequals(n, "X-Request-Id"))
      keep(request_id, value);
    else if (iequals(n, "Last-Event-ID"))
      keep(last_event_id, value);
  }

  void on_request_impl(beast_http::verb verb, string_view, string_view target, int version,
                       error_code& ec) override {
    owner_.version_ = version;
    owner_.method_ = method_of(verb);
    owner_.target_ = span_of(target);
    if (target.size() > target_bytes_max) {
      owner_.refuse(414, "uri-too-long", "The target is longer than 2048 bytes.");
      ec = beast_http::error::bad_target;
    } else if (verb == beast_http::verb::connect) {
      owner_.refuse(501, "not-implemented", "CONNECT is not served here.");
      ec = beast_http::error::bad_method;
    } else if (std::any_of(target.begin(), target.end(), [](char c) {
                 return static_cast<unsigned char>(c) > 0x7e || c == '#';
               })) {
      stop(ec, "The target has bytes that a target must percent-encode.");
    }
  }

  void on_field_impl(beast_http::field which, string_view name, string_view value,
                     error_code& ec) override {
    if (is_folded(name, value))
      return stop(ec, "Folded header lines are not accepted.");
    if (in_trailer_)
      return; // checked, and dropped: a trailer must not change what was decided on the header
    using beast_http::field;
    switch (which) {
    case field::host:
      return on_host(value, ec);
    case field::content_length:
      return on_content_length(value, ec);
    case field::transfer_encoding:
      return on_transfer_encoding(value, ec);
    case field::expect:
      return on_expect(value, ec);
    case field::authorization:
      return keep(authorization, value);
    case field::content_type:
      return keep(content_type, value);
    case field::accept:
      return keep(accept, value);
    case field::accept_encoding:
      return keep(accept_encoding, value);
    case field::accept_language:
      return keep(accept_language, value);
    case field::if_none_match:
      return keep(if_none_match, value);
    case field::cookie:
      return keep(cookie, value);
    case field::origin:
      return keep(origin, value);
    case field::unknown:
      return keep_extension(name, value);
    default:
      return;
    }
  }

  void on_host(string_view value, error_code& ec) {
    if ((owner_.seen_ & (1U << slot::host)) != 0)
      return stop(ec, "There is more than one Host.");
    if (value.empty() || !std::all_of(value.begin(), value.end(), is_host_char))
      return stop(ec, "Host is not a host with an optional port.");
    keep(slot::host, value);
  }

  void on_content_length(string_view value, error_code& ec) {
    if (std::exchange(has_length_, true))
      return stop(ec, "There is more than one Content-Length.");
    if (!is_decimal(std_view(value)))
      return stop(ec, "Content-Length is not a plain decimal number.");
  }

  void on_transfer_encoding(string_view value, error_code& ec) {
    if (std::exchange(has_coding_, true))
      return stop(ec, "There is more than one Transfer-Encoding.");
    if (owner_.version_ == 10)
      return stop(ec, "HTTP/1.0 has no Transfer-Encoding.");
    if (!iequals(std_view(value), "chunked"))
      return stop(ec, "The only Transfer-Encoding accepted is: chunked.");
  }

  void on_expect(string_view value, error_code& ec) {
    if (owner_.version_ == 10)
      return; // RFC 9110, 10.1.1: ignored
    if (!iequals(std_view(value), "100-continue")) {
      owner_.refuse(417, "expectation-failed", "The only expectation met is: 100-continue.");
      ec = beast_http::error::bad_field;
      return;
    }
    owner_.wants_continue_ = true;
  }

  void on_chunk_header_impl(std::uint64_t, string_view extension, error_code& ec) override {
    if (has_control(std_view(extension)))
      stop(ec, "A chunk extension has control characters.");
  }

  std::size_t take(string_view bytes) {
    owner_.body_.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  std::size_t on_body_impl(string_view bytes, error_code&) override { return take(bytes); }
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code&) override {
    return take(bytes);
  }
  void on_header_impl(error_code&) override { in_trailer_ = true; }
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  void on_finish_impl(error_code&) override {}

  parser& owner_;
  std::string_view input_;
  std::size_t offset_ = 0; ///< of input_ in the caller's buffer
  bool has_length_ = false;
  bool has_coding_ = false;
  bool in_trailer_ = false;
};

parser::machine& parser::beast() {
  return *std::launder(reinterpret_cast<machine*>(machine_.data()));
}

parser::parser() {
  static_assert(sizeof(machine) <= machine_bytes && alignof(machine) <= alignof(std::max_align_t));
  new (machine_.data()) machine(*this);
}

parser::~parser() {
  beast().~machine();
}

void parser::reset() {
  constexpr std::size_t body_capacity_kept = std::size_t{16} * 1024;
  beast().~machine();
  start_ = line_start_ = scanned_ = fields_start_ = fields_ = header_size_ = overhead_ = 0;
  seen_ = 0;
  absolute_ = complete_ = keep_alive_ = wants_continue_ = false;
  body_.clear();
  if (body_.capacity() > body_capacity_kept)
    body_.shrink_to_fit();
  new (machine_.data()) machine(*this);
}

parser::progress parser::refuse(unsigned status, std::string_view code, std::string detail) {
  refusal_ = {status, code, std::move(detail)};
  return progress::refused;
}

parser::progress parser::refuse(std::string detail) {
  return refuse(400, "invalid-request", std::move(detail));
}

parser::progress parser::refuse_large_body() {
  return refuse(413, "body-too-large",
                "The body is over " + std::to_string(body_bytes_max_) + " bytes.");
}

parser::progress parser::header(std::string_view input) {
  const auto found = scan(input);
  return found == progress::complete ? read_header(input.substr(0, header_size_)) : found;
}

parser::progress parser::read_header(std::string_view input) {
  refusal_.detail.clear();
  const auto bytes = input.substr(start_);
  beast().feeding(bytes, start_);
  error_code ec;
  const auto used = beast().put({bytes.data(), bytes.size()}, ec);
  if (!refusal_.detail.empty())
    return progress::refused;
  if (ec || used != bytes.size() || !beast().is_header_done())
    return refuse("The request header could not be read: " + ec.message() + ".");
  if (!split_target(input) || !check_host(input))
    return progress::refused;
  keep_alive_ = beast().keep_alive();
  complete_ = beast().is_done();
  return complete_ ? progress::complete : progress::header_done;
}

bool parser::limit_body(std::size_t bytes_max) {
  constexpr std::uint64_t reserved_at_once_max = std::uint64_t{64} * 1024;
  body_bytes_max_ = bytes_max;
  beast().body_limit(bytes_max);
  const auto announced = beast().content_length();
  if (announced && *announced > bytes_max)
    return refuse_large_body(), false;
  if (announced)
    body_.reserve(std::min(*announced, reserved_at_once_max));
  return true;
}

parser::progress parser::body(std::string_view input, std::size_t& used) {
  used = 0;
  const bool chunked = beast().chunked();
  // The shortest rest of a chunked body is "0\r\n\r\n". With less, Beast's assertions fail.
  if (input.empty() || (chunked && input.size() < 5))
    return progress::need_more;
  refusal_.detail.clear();
  beast().feeding(input, 0);
  const auto before = body_.size();
  error_code ec;
  used = beast().put({input.data(), input.size()}, ec);
  if (!refusal_.detail.empty())
    return progress::refused;
  if (ec == beast_http::error::body_limit)
    return refuse_large_body();
  if (ec && ec != beast_http::error::need_more)
    return refuse("The request body could not be read: " + ec.message() + ".");
  if (chunked) {
    overhead_ += used - (body_.size() - before);
    const auto pending = beast().is_done() ? 0 : input.size() - used;
    if (pending > chunk_overhead_bytes_max ||
        overhead_ + pending > chunk_overhead_bytes_max + body_.size() / chunk_overhead_body_share)
      return refuse("Chunk sizes, extensions and trailers are over 8 KiB.");
  }
  return beast().is_done() ? progress::complete : progress::need_more;
}

request parser::view(const char* base) const {
  const auto value = [&](slot which) {
    return (seen_ & (1U << which)) != 0 ? text(base, values_[which]) : std::string_view{};
  };
  request r;
  r.method = method_;
  r.target = text(base, target_);
  r.path = path_.size == 0 ? std::string_view("/") : text(base, path_);
  r.query = text(base, query_);
  r.body = body_;
  r.host = value(host);
  r.authorization = value(authorization);
  r.admission_ticket = value(admission_ticket);
  r.queue_token = value(queue_token);
  r.idempotency_key = value(idempotency_key);
  r.content_type = value(content_type);
  r.accept = value(accept);
  r.accept_encoding = value(accept_encoding);
  r.accept_language = value(accept_language);
  r.if_none_match = value(if_none_match);
  r.cookie = value(cookie);
  r.origin = value(origin);
  r.last_event_id = value(last_event_id);
  r.request_id = value(request_id);
  r.fields = {base + fields_start_, header_size_ - fields_start_};
  return r;
}

} // namespace usher::http
