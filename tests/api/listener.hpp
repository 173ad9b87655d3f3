#pragma once

#include "tests/api/api_server.hpp"

#include <optional>
#include <stdexcept>
#include <string>

namespace usher::test {

/// One Server-Sent Event.
struct heard {
  std::string event;
  std::string id;
  json data;

  [[nodiscard]] std::string text(const std::string& member) const {
    return data.contains(member) ? data[member].get<std::string>() : "";
  }
};

/// An EventSource. A read gives up after twenty seconds.
class listener {
public:
  explicit listener(const std::string& path, const std::string& last_id = {})
      : line_{server().connect()} {
    line_.send("GET " + path + " HTTP/1.1\r\nHost: usher\r\nAccept: text/event-stream\r\n" +
               (last_id.empty() ? "" : "Last-Event-ID: " + last_id + "\r\n") + "\r\n");
    const auto head = line_.read(true);
    if (!head || head->status != 200)
      throw std::runtime_error{"no stream"};
    type = head->header("content-type");
  }

  /// The next event; nothing at the end of the stream.
  std::optional<heard> next() {
    for (;;) {
      const auto chunk = line_.read_chunk();
      if (chunk.empty())
        return std::nullopt;
      if (!chunk.starts_with(':'))
        return parsed(chunk);
    }
  }

  std::string type;

private:
  static heard parsed(const std::string& text) {
    heard made;
    if (!text.ends_with("\n\n"))
      throw std::runtime_error{"not one whole event: " + text};
    std::size_t at = 0;
    for (auto end = text.find('\n'); text[at] != '\n'; end = text.find('\n', at)) {
      const auto line = text.substr(at, end - at);
      at = end + 1;
      const auto colon = line.find(": ");
      const auto name = line.substr(0, colon);
      const auto value = line.substr(colon + 2);
      if (name == "data")
        made.data = json::parse(value);
      else
        (name == "id" ? made.id : made.event) = value;
    }
    return made;
  }

  raw_client line_;
};

} // namespace usher::test
