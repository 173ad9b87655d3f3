#pragma once

#include "http/server/exchange.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

// Problem documents, RFC 9457.
namespace usher::http {

inline constexpr std::string_view problem_content_type = "application/problem+json";

/// "Not Found" for 404; "Unknown" for a status without a name.
[[nodiscard]] std::string_view reason_phrase(unsigned status);

/// {"type":"about:blank","title","status","detail","code"}: the title is the status's name, `code`
/// is kebab-case and what a program looks at, `detail` says to a person what can be done. Bytes
/// that are not UTF-8 come out as U+FFFD.
[[nodiscard]] std::string problem(unsigned status, std::string_view code, std::string_view detail);

/// The same with the members of the object `more` added at the end.
[[nodiscard]] std::string problem(unsigned status, std::string_view code, std::string_view detail,
                                  const nlohmann::ordered_json& more);

/// The whole answer; `headers` as in response::headers.
[[nodiscard]] response problem_response(unsigned status, std::string_view code,
                                        std::string_view detail, std::string headers = {});
[[nodiscard]] response problem_response(unsigned status, std::string_view code,
                                        std::string_view detail, std::string headers,
                                        const nlohmann::ordered_json& more);

/// 503 `overloaded`: worth another try in two seconds.
[[nodiscard]] response overloaded_response(std::string_view detail);

} // namespace usher::http
