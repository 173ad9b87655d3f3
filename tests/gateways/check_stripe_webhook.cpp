// Reads lines of what is expected, a secret, the time, a Stripe-Signature and a payload in hex,
// with tabs between them, and checks each as the provider does. Ends with 0 only if all are as
// expected and some were good and some were not.
#include "http/gateways/signature_stripe.hpp"
#include "storage/files.hpp"

#include <iostream>
#include <sstream>
#include <string>

using namespace usher;

int main() {
  int good = 0;
  int not_good = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream parts{line};
    std::string expected, secret, now, header, hex;
    for (auto* part : {&expected, &secret, &now, &header, &hex})
      std::getline(parts, *part, '\t');
    const auto payload = storage::from_hex(hex);
    if (!payload || now.empty()) {
      std::cerr << "not a line for this program: " << line.substr(0, 200) << "\n";
      return 1;
    }
    const auto judged = gateways::check_stripe(header, *payload, {secret}, std::stoll(now) * 1000);
    if (to_string(judged) != expected) {
      std::cerr << header << ": " << to_string(judged) << ", expected " << expected << "\n";
      return 1;
    }
    ++(judged == gateways::signature::good ? good : not_good);
  }
  std::cout << good << " good, " << not_good << " not\n";
  return good > 0 && not_good > 0 ? 0 : 1;
}
