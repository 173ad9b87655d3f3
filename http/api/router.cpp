#include "http/api/router.hpp"

#include "http/api/route_lookup.hpp"
#include "http/server/path.hpp"

#include <optional>
#include <utility>

namespace usher::http {

namespace {

std::optional<caller> identify(const app& with, const request& what) {
  if (auto known = with.access.find(what.authorization))
    return known;
  if (with.options.open_loopback && what.loopback)
    return caller{std::string{demo_key_id}, access::role::admin};
  return std::nullopt;
}

bool may(const std::optional<caller>& from, audience who) {
  if (who == audience::everybody)
    return true;
  if (!from)
    return false;
  if (who == audience::admins)
    return from->role == access::role::admin;
  const bool operates = from->role == access::role::admin || from->role == access::role::operator_;
  if (operates || who == audience::operators)
    return operates;
  const bool serves = from->role == access::role::service;
  return serves || (who == audience::readers && from->role == access::role::viewer) ||
         (who == audience::doors && from->role == access::role::gate);
}

response refuse(const std::optional<caller>& from) {
  if (!from)
    return problem_response(401, "key-required",
                            "This call needs a key: send Authorization: Bearer KEY.",
                            "WWW-Authenticate: Bearer\r\n");
  return problem_response(403, "forbidden", "The role of this key does not allow this call.");
}

/// Below the floor of free space only what writes nothing goes on: looks, polls, heartbeats.
bool finds_no_space(const app& with, const route& asked) {
  return with.disk != nullptr && !with.disk->accepts_writes() && !asked.poll &&
         asked.method != method::get;
}

response disk_full_response() {
  return problem_response(503, "disk-full",
                          "The server's disk is nearly full: nothing new is recorded until there "
                          "is space. What was acknowledged is kept. Try again later.",
                          "Retry-After: 30\r\n");
}

/// What can be said before the body was read; nothing if the call may go on.
std::optional<response> refusal_of(const app& with, const request& what,
                                   const route_lookup& where) {
  if (where.found != nullptr) {
    const auto who = where.found->is->who;
    if (who != audience::everybody)
      if (const auto from = identify(with, what); !may(from, who))
        return refuse(from);
    if (finds_no_space(with, *where.found->is))
      return disk_full_response();
    return std::nullopt;
  }
  if (where.allowed.empty())
    return problem_response(404, "not-found", "There is nothing at this address.");
  if (what.method == method::options) {
    response made;
    made.status = 204;
    made.headers = "Allow: " + where.allowed + "\r\n";
    return made;
  }
  return problem_response(405, "method-not-allowed",
                          "This address answers to " + where.allowed + ".",
                          "Allow: " + where.allowed + "\r\n");
}

/// Decoded path parameters, or nothing if one is not text.
std::optional<std::vector<std::string>> parameters(const known_route& of, const request& what) {
  const path_segments path{what.path};
  std::vector<std::string> found;
  for (std::size_t i = 0; i < path.count; ++i) {
    if (!is_parameter(of.pattern.part[i]))
      continue;
    auto decoded = decode_path_segment(path.part[i]);
    if (!decoded)
      return std::nullopt;
    found.push_back(std::move(*decoded));
  }
  return found;
}

} // namespace

route_limits api::limits_for(const request& head) const {
  route_limits limits;
  const auto where = find_route(head);
  if (auto refusal = refusal_of(with_, head, where)) {
    limits.refusal = std::make_unique<response>(std::move(*refusal));
    return limits;
  }
  limits.body_bytes_max = where.found->is->body_bytes_max;
  limits.sheddable = !where.found->is->poll;
  return limits;
}

void api::handle(const request& what, reply& to) {
  const auto where = find_route(what);
  if (auto refusal = refusal_of(with_, what, where)) {
    to.send(*refusal);
    return;
  }
  auto given = parameters(*where.found, what);
  if (!given) {
    to.send(problem_response(400, "invalid-request", "The address has a broken % escape."));
    return;
  }
  call at{with_, what, to, std::move(*given), identify(with_, what), where.found->is->drop_in};
  where.found->is->handle(at);
}

} // namespace usher::http
