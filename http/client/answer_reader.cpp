#include "http/client/answer_reader.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <optional>

namespace usher::http::client {

namespace beast = boost::beast;

namespace {

constexpr std::size_t read_bytes = 16 * 1024;

} // namespace

struct answer_reader::parts {
  using parser_type = beast::http::response_parser<beast::http::string_body>;

  parts() { start(); }

  void start() {
    parser.emplace();
    parser->eager(true);
    parser->header_limit(answer_header_bytes_max);
    parser->body_limit(answer_body_bytes_max);
  }

  state judged(const beast::error_code& ec) {
    if (ec == beast::http::error::need_more)
      return state::more;
    if (ec) {
      const bool large = ec == beast::http::error::header_limit ||
                         ec == beast::http::error::body_limit ||
                         ec == beast::http::error::buffer_overflow;
      why = large ? "answer-too-large" : "not-http";
      return state::wrong;
    }
    return parser->is_done() ? state::complete : state::more;
  }

  /// One put at a time, because a header and each piece of a chunked body end one.
  state parse() {
    state now = state::more;
    while (buffer.size() > 0 && now == state::more) {
      beast::error_code ec;
      const auto taken = parser->put(buffer.data(), ec);
      buffer.consume(taken);
      now = judged(ec);
      if (now == state::more && taken == 0)
        break;
      if (now == state::complete && is_interim()) {
        if (++interim > interim_answers_max) {
          why = "not-http";
          return state::wrong;
        }
        start();
        now = state::more;
      }
    }
    // The parser's own limit is on headers; the line before a chunk has none.
    if (now == state::more && buffer.size() > answer_header_bytes_max) {
      why = "answer-too-large";
      return state::wrong;
    }
    return now;
  }

  [[nodiscard]] bool is_interim() const {
    return parser->get().result_int() >= 100 && parser->get().result_int() < 200;
  }

  beast::flat_buffer buffer{answer_header_bytes_max + 2 * read_bytes};
  std::optional<parser_type> parser;
  bool any = false;
  int interim = 0;
  std::string_view why;
};

answer_reader::answer_reader() : parts_{std::make_unique<parts>()} {}
answer_reader::~answer_reader() = default;

std::span<char> answer_reader::space() {
  const auto into = parts_->buffer.prepare(read_bytes);
  return {static_cast<char*>(into.data()), into.size()};
}

answer_reader::state answer_reader::got(std::size_t bytes) {
  parts_->any = parts_->any || bytes > 0;
  parts_->buffer.commit(bytes);
  return parts_->parse();
}

answer_reader::state answer_reader::ended() {
  if (!parts_->parser->got_some())
    return state::wrong;
  beast::error_code ec;
  parts_->parser->put_eof(ec);
  return parts_->judged(ec);
}

bool answer_reader::any() const {
  return parts_->any;
}

std::string_view answer_reader::why() const {
  return parts_->why;
}

bool answer_reader::keeps_alive() const {
  return parts_->parser->keep_alive() && parts_->buffer.size() == 0;
}

answer answer_reader::take() {
  auto message = parts_->parser->release();
  answer whole;
  whole.status = static_cast<int>(message.result_int());
  for (const auto& field : message) {
    const auto name = field.name_string();
    const auto value = field.value();
    whole.headers.push_back({{name.data(), name.size()}, {value.data(), value.size()}});
  }
  whole.body = std::move(message.body());
  return whole;
}

} // namespace usher::http::client
