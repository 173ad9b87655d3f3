#include "http/server/ascii.hpp"
#include "http/server/options.hpp"
#include "http/server/parser.hpp"

#include <algorithm>
#include <cstring>

// The half of the gate that looks at bytes before Beast does, or that Beast does not look at.
namespace usher::http {
namespace {

std::string_view without_default_port(std::string_view authority, std::string_view port) {
  return authority.ends_with(port) ? authority.substr(0, authority.size() - port.size())
                                   : authority;
}

} // namespace

/// Looks for the end of the header line by line, so that what can be refused is refused before the
/// rest of it arrives, and Beast sees whole headers only.
parser::progress parser::scan(std::string_view input) {
  // RFC 9112, 2.2: one empty line before the request is tolerated.
  if (scanned_ == 0 && input.starts_with("\r\n"))
    start_ = line_start_ = scanned_ = 2;
  if (input.size() == start_ || input == "\r")
    return progress::need_more;
  if (const char first = input[start_]; first <= ' ' || first > '~')
    return refuse("This does not begin like an HTTP request.");
  while (scanned_ < input.size()) {
    const void* found = std::memchr(input.data() + scanned_, '\n', input.size() - scanned_);
    if (found == nullptr)
      break;
    const auto line_feed = static_cast<std::size_t>(static_cast<const char*>(found) - input.data());
    scanned_ = line_feed + 1;
    if (!scan_line(input, line_feed))
      return progress::refused;
    if (header_size_ != 0)
      return progress::complete;
  }
  scanned_ = input.size();
  if (fields_start_ == 0 && input.size() - start_ > request_line_bytes_max)
    return refuse(414, "uri-too-long", "The target is longer than 2048 bytes.");
  if (fields_start_ != 0 && input.size() - fields_start_ > header_bytes_max)
    return refuse(431, "header-too-large", "The header fields are over 8 KiB.");
  return progress::need_more;
}

bool parser::scan_line(std::string_view input, std::size_t line_feed) {
  const auto line = input.substr(line_start_, line_feed - line_start_);
  line_start_ = line_feed + 1;
  if (line.empty() || line.back() != '\r')
    return refuse("A line ends without a carriage return."), false;
  if (fields_start_ == 0) {
    fields_start_ = line_feed + 1;
    if (line.size() > request_line_bytes_max)
      return refuse(414, "uri-too-long", "The target is longer than 2048 bytes."), false;
    return true;
  }
  if (line.size() == 1) {
    header_size_ = line_feed + 1;
    return true;
  }
  if (line.front() == ' ' || line.front() == '\t')
    return refuse("Folded header lines are not accepted."), false;
  if (++fields_ > header_fields_max || line_feed + 1 - fields_start_ > header_bytes_max)
    return refuse(431, "header-too-large", "More than 64 header fields, or over 8 KiB."), false;
  return true;
}

/// Origin form, absolute form (http and https), and `*` for OPTIONS.
bool parser::split_target(std::string_view input) {
  const auto target = text(input.data(), target_);
  std::size_t path = 0;
  if (const auto scheme = target.find("://"); target.front() != '/' && target != "*") {
    if (!iequals(target.substr(0, scheme), "http") && !iequals(target.substr(0, scheme), "https"))
      return refuse("The target is neither a path nor an http URI."), false;
    absolute_ = true;
    const auto from = scheme + 3;
    path = std::min(target.find_first_of("/?", from), target.size());
    authority_ = {static_cast<std::uint16_t>(target_.at + from),
                  static_cast<std::uint16_t>(path - from)};
  } else if (target == "*" && method_ != http::method::options) {
    return refuse("The target * is for OPTIONS only."), false;
  }
  const auto end = std::min(target.find('?', path), target.size());
  const auto query = std::min(end + 1, target.size());
  path_ = {static_cast<std::uint16_t>(target_.at + path), static_cast<std::uint16_t>(end - path)};
  query_ = {static_cast<std::uint16_t>(target_.at + query),
            static_cast<std::uint16_t>(target.size() - query)};
  return true;
}

bool parser::check_host(std::string_view input) {
  if ((seen_ & (1U << host)) == 0) {
    if (version_ == 10 && !absolute_)
      return true;
    return refuse("There is no Host."), false;
  }
  if (!absolute_)
    return true;
  const auto* port = iequals(text(input.data(), target_).substr(0, 6), "https:") ? ":443" : ":80";
  const auto named = without_default_port(text(input.data(), values_[host]), port);
  if (!iequals(without_default_port(text(input.data(), authority_), port), named))
    return refuse("The target names another host than Host."), false;
  return true;
}

} // namespace usher::http
