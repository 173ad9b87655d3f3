#include "storage/batch.hpp"

#include "storage/cbor.hpp"
#include "storage/fields.hpp"

#include <openssl/evp.h>

#include <cstdlib>
#include <limits>
#include <utility>

namespace usher::storage {

namespace {

json record_map(const stored_record& record) {
  return json::object(
      {{"at", record.at},
       {"subject", record.subject},
       {"version", record.version},
       {"type", record.type},
       {"schema", record.schema},
       {"cause", json::object({{"request", record.cause.request}, {"who", record.cause.who}})},
       {"data", json::binary({record.data.begin(), record.data.end()})}});
}

stored_record read_record(fields& in) {
  stored_record record;
  record.at = in.i64("at");
  record.subject = in.text("subject");
  record.version = in.u64("version");
  record.type = in.text("type");
  record.schema = in.u32("schema");
  record.cause = in.map("cause", [](fields& cause) {
    return storage::cause{.request = cause.text("request"), .who = cause.text("who")};
  });
  record.data = in.bytes("data");
  return record;
}

batch read_batch(fields& in) {
  batch read;
  if (in.u32("format") != batch_format)
    in.wrong("format", "a format of batches that this program knows");
  read.shard = in.u32("shard");
  read.epoch = in.u64("epoch");
  in.fixed_bytes("previous", read.previous);
  auto position = in.u64("first");
  const auto count = in.u64("count");
  read.records = in.maps("records", read_record);
  if (count == 0 || read.records.size() != count)
    in.wrong("count", "the number of records, which is not 0");
  if (position == 0 || position > std::numeric_limits<position_t>::max() - read.records.size())
    in.wrong("first", "a position");
  for (auto& record : read.records)
    record.position = position++;
  return read;
}

/// What cannot fail except for want of memory; going on would write a wrong chain.
void require(int ok) {
  if (ok != 1)
    std::abort();
}

} // namespace

std::string encode_batch(const batch& what) {
  auto records = json::array();
  for (const auto& record : what.records)
    records.push_back(record_map(record));
  return write_cbor(
      json::object({{"format", batch_format},
                    {"shard", what.shard},
                    {"epoch", what.epoch},
                    {"previous", json::binary({what.previous.begin(), what.previous.end()})},
                    {"first", what.first()},
                    {"count", what.records.size()},
                    {"records", std::move(records)}}));
}

std::variant<batch, failure> decode_batch(std::string_view value) {
  if (value.size() > batch_bytes_max)
    return failure{"a batch of " + std::to_string(value.size()) + " bytes is too large"};
  const auto items = cbor_items::read(value);
  if (!items)
    return failure{"the batch is not sound CBOR"};
  std::optional<failure> fault;
  fields in{items->root(), "batch", fault};
  batch read = read_batch(in);
  in.end();
  if (fault)
    return std::move(*fault);
  return read;
}

struct chain_hasher::context {
  EVP_MD* sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  EVP_MD_CTX* running = EVP_MD_CTX_new();

  context() { require(sha256 != nullptr && running != nullptr); }
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
  require(EVP_DigestInit_ex2(context_->running, context_->sha256, nullptr));
  require(EVP_DigestUpdate(context_->running, previous.data(), previous.size()));
  require(EVP_DigestUpdate(context_->running, value.data(), value.size()));
  require(EVP_DigestFinal_ex(context_->running, head.data(), nullptr));
  return head;
}

} // namespace usher::storage
