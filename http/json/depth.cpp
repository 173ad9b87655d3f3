#include "http/json/depth.hpp"

namespace usher::http {

bool nests_deeper_than(int depth_max, std::string_view json_text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json_text.size(); ++i) {
    const char c = json_text[i];
    if (in_text) {
      if (c == '\\')
        ++i; // whatever is escaped ends no text
      else if (c == '"')
        in_text = false;
      continue;
    }
    if (c == '"')
      in_text = true;
    else if (c == '{' || c == '[')
      ++depth;
    else if (c == '}' || c == ']')
      --depth;
    if (depth > depth_max)
      return true;
  }
  return false;
}

} // namespace usher::http
