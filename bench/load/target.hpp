#pragma once

#include <cstddef>
#include <string>
#include <sys/socket.h>
#include <variant>

namespace usher::load {

/// The server that is put under load, found once.
struct target {
  std::string url;        ///< as it was given
  std::string host_field; ///< what the Host field says
  sockaddr_storage address{};
  socklen_t address_bytes = 0;
};

/// A sentence if `url` is no http address of a server alone, or if its name is not known.
[[nodiscard]] std::variant<target, std::string> find_target(const std::string& url);

/// How many connections to one server there can be: limits of open files and of ports.
[[nodiscard]] std::size_t connections_possible();

/// Makes room for so many connections to one server, by raising the limit of open files. Empty, or
/// a sentence that says what stands against it.
[[nodiscard]] std::string make_room_for(std::size_t connections);

} // namespace usher::load
