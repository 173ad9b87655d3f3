#pragma once

#include <string_view>

// What a request's headers ask for (RFC 9110). Pure.
namespace usher::http {

/// Does this Accept-Encoding allow gzip, and not like the plain bytes better? Empty: no.
[[nodiscard]] bool takes_gzip(std::string_view accept_encoding);

/// Does this If-None-Match name the entity tag, or all with `*`? Tags are compared weakly: a `W/`
/// before one says nothing. What is malformed names nothing from there on.
[[nodiscard]] bool names_etag(std::string_view if_none_match, std::string_view etag);

} // namespace usher::http
