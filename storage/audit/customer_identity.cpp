#include "storage/audit/customer_identity.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace usher::storage::audit {

identity customer_identity(const secret_key& key, const show_id& show, std::string_view customer) {
  std::string message;
  for (const auto part : {std::string_view{show}, std::string_view{"customer"}, customer}) {
    const auto length = static_cast<std::uint32_t>(part.size());
    for (int shift = 24; shift >= 0; shift -= 8)
      message.push_back(static_cast<char>(length >> shift & 0xff));
    message.append(part);
  }
  std::array<unsigned char, 32> full{};
  unsigned int size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(message.data()), message.size(), full.data(),
           &size) == nullptr)
    throw std::runtime_error{"OpenSSL cannot compute HMAC-SHA256"};
  identity who;
  std::copy_n(full.begin(), who.bytes.size(), who.bytes.begin());
  return who;
}

} // namespace usher::storage::audit
