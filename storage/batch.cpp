#include "storage/batch.hpp"

#include "storage/cbor_flow.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace usher::storage {

namespace {

// Keys in ascending order, as everything is written.
constexpr std::uint64_t batch_fields = 7;
constexpr std::uint64_t record_fields = 7;
constexpr std::uint64_t cause_fields = 2;

void write_record(cbor_writer& out, const stored_record& record) {
  out.map(record_fields);
  out.text("at").signed_number(record.at);
  out.text("cause").map(cause_fields);
  out.text("request").text(record.cause.request).text("who").text(record.cause.who);
  out.text("data").bytes(record.data);
  out.text("schema").number(record.schema);
  out.text("subject").text(record.subject);
  out.text("type").text(record.type);
  out.text("version").number(record.version);
}

/// Reads the fields of a batch one behind the other and keeps which was the first that is wrong.
class batch_reader {
public:
  explicit batch_reader(std::string_view value) : in_{value} {}

  std::optional<failure> read(batch& into) {
    std::uint64_t count = 0;
    position_t first = 0;
    std::uint32_t format = 0;
    if (!in_.map(batch_fields))
      fault_ = failure{"the batch is not sound CBOR, lacks a field, or has one that is not known"};
    number("count", count);
    number("epoch", into.epoch);
    number("first", first);
    number("format", format);
    require(format == batch_format, "format", "is not a format of batches that this program knows");
    read_digest("previous", into.previous);
    read_records(into.records);
    number("shard", into.shard);
    require(in_.at_end(), "shard", "is not the last of the batch");
    require(count > 0 && into.records.size() == count, "count",
            "is not the number of records, which is not 0");
    require(first > 0 && first <= std::numeric_limits<position_t>::max() - count, "first",
            "is not a position");
    for (auto& record : into.records)
      record.position = first++;
    return std::move(fault_);
  }

private:
  void require(bool holds, const char* name, const char* otherwise) {
    if (!holds && !fault_)
      fault_ = failure{std::string{"batch: `"} + name + "` " + otherwise};
  }
  void map(const char* name, std::uint64_t pairs) {
    if (!fault_)
      require(in_.map(pairs), name,
              "is not sound CBOR, lacks a field, or has one that is not known");
  }
  /// Does `read`, after the key of that name.
  template <class Read>
  void field(const char* name, Read read) {
    if (!fault_)
      require(in_.key(name) && read(), name, "is not there, or not what it has to be");
  }
  template <class Number>
  void number(const char* name, Number& into) {
    field(name, [&] { return in_.number(into); });
  }
  void text(const char* name, std::string& into) {
    std::string_view found;
    field(name, [&] { return in_.text(found); });
    into.assign(found);
  }

  void read_digest(const char* name, digest& into) {
    field(name, [&] {
      std::string_view found;
      if (!in_.bytes(found) || found.size() != into.size())
        return false;
      std::ranges::copy(found, into.begin());
      return true;
    });
  }

  void read_records(std::vector<stored_record>& into) {
    std::uint64_t entries = 0;
    field("records", [&] { return in_.array(entries); });
    std::size_t read = 0;
    for (; read < entries && !fault_; ++read) {
      if (read == into.size())
        into.emplace_back(); // one by one: what a count claims takes no memory
      read_record(into[read]);
    }
    into.resize(read);
  }

  void read_record(stored_record& into) {
    map("records", record_fields);
    number("at", into.at);
    field("cause", [] { return true; });
    map("cause", cause_fields);
    text("request", into.cause.request);
    text("who", into.cause.who);
    field("data", [&] {
      std::string_view found;
      const bool is_sound = in_.bytes(found);
      into.data.assign(found);
      return is_sound;
    });
    number("schema", into.schema);
    text("subject", into.subject);
    text("type", into.type);
    number("version", into.version);
  }

  cbor_cursor in_;
  std::optional<failure> fault_;
};

/// What it will take, so that it grows once.
std::size_t bytes_about(const batch& what) {
  constexpr std::size_t bytes_around = 128; // the names of fields, and numbers
  std::size_t sum = bytes_around;
  for (const auto& record : what.records)
    sum += bytes_around + record.subject.size() + record.type.size() + record.data.size() +
           record.cause.request.size() + record.cause.who.size();
  return sum;
}

/// What cannot fail except for want of memory; going on would write a wrong chain.
void must_succeed(int ok) {
  if (ok != 1)
    std::abort();
}

} // namespace

std::string encode_batch(const batch& what) {
  std::string value;
  value.reserve(bytes_about(what));
  cbor_writer out{value};
  out.map(batch_fields);
  out.text("count").number(what.records.size());
  out.text("epoch").number(what.epoch);
  out.text("first").number(what.first());
  out.text("format").number(batch_format);
  out.text("previous")
      .bytes({reinterpret_cast<const char*>(what.previous.data()), what.previous.size()});
  out.text("records").array(what.records.size());
  for (const auto& record : what.records)
    write_record(out, record);
  out.text("shard").number(what.shard);
  return value;
}

std::optional<failure> decode_batch(std::string_view value, batch& into) {
  if (value.size() > batch_bytes_max)
    return failure{"a batch of " + std::to_string(value.size()) + " bytes is too large"};
  return batch_reader{value}.read(into);
}

std::variant<batch, failure> decode_batch(std::string_view value) {
  batch read;
  if (auto fault = decode_batch(value, read))
    return std::move(*fault);
  return read;
}

struct chain_hasher::context {
  EVP_MD* sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  EVP_MD_CTX* running = EVP_MD_CTX_new();

  context() { must_succeed(sha256 != nullptr && running != nullptr); }
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context() {
    EVP_MD_CTX_free(running);
    EVP_MD_free(sha256);
  }
};

chain_hasher::chain_hasher() : context_{std::make_unique<context>()} {}
chain_hasher::~chain_hasher() = default;
chain_hasher::chain_hasher(chain_hasher&&) noexcept = default;
chain_hasher& chain_hasher::operator=(chain_hasher&&) noexcept = default;

digest chain_hasher::next(const digest& previous, std::string_view value) {
  digest head{};
  must_succeed(EVP_DigestInit_ex2(context_->running, context_->sha256, nullptr));
  must_succeed(EVP_DigestUpdate(context_->running, previous.data(), previous.size()));
  must_succeed(EVP_DigestUpdate(context_->running, value.data(), value.size()));
  must_succeed(EVP_DigestFinal_ex(context_->running, head.data(), nullptr));
  return head;
}

} // namespace usher::storage
