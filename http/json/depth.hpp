#pragma once

#include <string_view>

namespace usher::http {

/// Whether lists and objects nest deeper than that; to be asked before parsing, since whatever
/// walks the values later recurses. Looks at brackets outside of texts only: whether it is JSON is
/// another question. (The parser's own callback could tell too, but takes quadratic time for a long
/// list of objects.)
[[nodiscard]] bool nests_deeper_than(int depth_max, std::string_view json_text);

} // namespace usher::http
