#include "bench/load/requests.hpp"

#include <charconv>

namespace usher::load {

namespace {

void append_number(std::string& to, std::size_t number) {
  char digits[20];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  to.append(digits, end);
}

void append_body(std::string& to, std::string_view body) {
  to.append("\r\nContent-Length: ");
  append_number(to, body.size());
  to.append("\r\n\r\n").append(body);
}

} // namespace

requests::requests(std::string_view host, std::string_view show) {
  const auto path = "/v1/shows/" + std::string{show};
  host_ = " HTTP/1.1\r\nHost: " + std::string{host} + "\r\n";
  end_of_get_ = host_ + "\r\n";
  page_ = "GET " + path + end_of_get_;
  map_ = "GET " + path + "/seats" + end_of_get_;
  join_ = "POST " + path + "/waiting-room/join" + host_ + "Content-Length: 0\r\n\r\n";
  poll_ = "GET " + path + "/waiting-room/tickets/";
  hold_ = "POST " + path + "/holds" + host_ + "X-Admission-Ticket: ";
  order_ = "POST /v1/orders" + host_ + "X-Admission-Ticket: ";
  key_ = std::string{show} + "-";
}

void requests::poll(std::string& to, std::string_view ticket) const {
  to = poll_;
  to.append(ticket).append(end_of_get_);
}

void requests::hold(std::string& to, std::string_view ticket,
                    std::span<const seat_number> seats) const {
  std::string body = R"({"seats":[)";
  for (const auto seat : seats)
    body.append(seat == seats.front() ? "\"" : ",\"").append(seat_name(seat)).append("\"");
  body.append("]}");
  to = hold_;
  append_body(to.append(ticket), body);
}

void requests::hold_best(std::string& to, std::string_view ticket, std::size_t quantity) const {
  std::string body = R"({"best":{"quantity":)";
  append_number(body, quantity);
  body.append("}}");
  to = hold_;
  append_body(to.append(ticket), body);
}

void requests::order(std::string& to, std::string_view ticket, std::string_view hold,
                     std::uint32_t fan) const {
  const auto number = std::to_string(fan);
  std::string body = R"({"holdId":")";
  body.append(hold).append(R"(","customerEmail":"fan)").append(number).append(R"(@example.com"})");
  to = order_;
  to.append(ticket).append("\r\nIdempotency-Key: ").append(key_).append(number);
  append_body(to, body);
}

void requests::pay(std::string& to, std::string_view order) const {
  to = "POST /v1/orders/";
  to.append(order).append("/pay").append(host_).append("Idempotency-Key: pay-").append(order);
  append_body(to, R"({"method":"card"})");
}

} // namespace usher::load
