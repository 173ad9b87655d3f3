// Our four providers against the sandbox gateway, in one process: each of its faults is resolved by
// asking again or by voiding, and its ledger never has more than one charge for one payment.
#include "http/crypto/crypto.hpp"
#include "http/gateways/options.hpp"
#include "http/sandbox/gateway.hpp"
#include "storage/sealing.hpp"
#include "tests/gateways/asking.hpp"
#include "tests/gateways/playing.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace usher;
using namespace usher::test;
using gateways::protocol;

const storage::secret_key seals{7};

struct spoken {
  protocol speaks;
  const char* path;
};
constexpr spoken all[] = {{protocol::plain, "/plain"},
                          {protocol::stripe, "/stripe"},
                          {protocol::mercado_pago, "/mercado-pago"},
                          {protocol::paypal, "/paypal"}};

/// One provider, and the sandbox behind it.
struct counter {
  explicit counter(const spoken& with) {
    gateways::options how{.speaks = with.speaks,
                          .base_url = sandbox.base_url() + with.path,
                          .key = "sk_test_sandbox",
                          .client_id = "client"};
    how.call_deadline = std::chrono::milliseconds{1500};
    provider =
        std::move(std::get<0>(gateways::make_provider(how, thread, storage::opener_with(seals))));
  }

  payments::charge_request payment(const std::string& rule) const {
    payments::charge_request asked;
    static_cast<id128&>(asked.payment) = http::random_id();
    static_cast<id128&>(asked.order) = http::random_id();
    asked.amount = {2550, "BRL"};
    asked.method = "card";
    asked.token = std::get<std::string>(storage::seal(
        seals, "rule:" + rule,
        {reinterpret_cast<const char*>(asked.payment.bytes.data()), asked.payment.bytes.size()}));
    return asked;
  }

  template <class Asked>
  payments::result told(void (payments::provider::*call)(const Asked&, payments::on_result),
                        const Asked& asked) {
    std::promise<payments::result> result;
    auto later = result.get_future();
    ((*provider).*call)(asked, [&](payments::result got) { result.set_value(std::move(got)); });
    return wait_for(later);
  }

  /// Asks until it is known, as the desk does, with what was learnt.
  payments::result settle(payments::charge_request asked) {
    payments::result got;
    for (int i = 0; i < 4; ++i) {
      got = told(&payments::provider::charge, asked);
      if (got.what != outcome::unknown)
        return got;
      if (!got.reference.empty())
        asked.reference = got.reference;
    }
    return got;
  }

  sandbox::gateway sandbox{{}};
  client::client_thread thread;
  std::unique_ptr<payments::provider> provider;
};

payments::refund_request refund_of(const std::string& reference, std::int64_t amount) {
  payments::refund_request asked;
  static_cast<id128&>(asked.refund) = http::random_id();
  asked.amount = {amount, "BRL"};
  asked.payment_reference = reference;
  return asked;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_fault_is_resolved_by_asking_again) {
  for (const auto& with : all)
    for (const std::string rule : {"approve", "decline", "timeout-before", "timeout-after",
                                   "error-before", "error-after", "reset-before", "reset-after"}) {
      BOOST_TEST_CONTEXT(with.path << " " << rule) {
        counter at{with};
        const auto asked = at.payment(rule);
        const auto got = at.settle(asked);
        BOOST_TEST(to_string(got.what) == (rule == "decline" ? "declined" : "approved"),
                   test::text_of(got));
        // And once more the same.
        BOOST_TEST(to_string(at.settle(asked).what) == to_string(got.what));
      }
    }
}

BOOST_AUTO_TEST_CASE(what_is_voided_never_charges_and_what_charged_says_so) {
  for (const auto& with : all) {
    for (const std::string rule : {"timeout-before", "timeout-after"}) {
      BOOST_TEST_CONTEXT(with.path << " " << rule) {
        counter at{with};
        const auto asked = at.payment(rule);
        const auto first = at.told(&payments::provider::charge, asked);
        BOOST_TEST(to_string(first.what) == "unknown");
        auto known = asked;
        known.reference = first.reference;
        const auto voided = at.told(&payments::provider::void_charge, known);
        // PayPal took the request without doing it, and does it when it is asked which order it
        // was: that comes too late, and is told.
        const bool charged = rule == "timeout-after" || with.speaks == protocol::paypal;
        BOOST_TEST(to_string(voided.what) == (charged ? "approved" : "failed"),
                   test::text_of(voided));
      }
    }
    counter at{with};
    const auto never = at.told(&payments::provider::void_charge, at.payment("approve"));
    BOOST_TEST(to_string(never.what) == "failed", with.path << " " << test::text_of(never));
  }
}

BOOST_AUTO_TEST_CASE(refunds_go_back_once_and_never_more_than_came) {
  for (const auto& with : all) {
    BOOST_TEST_CONTEXT(with.path) {
      counter at{with};
      const auto paid = at.settle(at.payment("approve"));
      BOOST_TEST_REQUIRE((paid.what == outcome::approved));
      const auto part = refund_of(paid.reference, 1000);
      const auto first = at.told(&payments::provider::refund, part);
      BOOST_TEST(to_string(first.what) == "approved", test::text_of(first));
      BOOST_TEST(at.told(&payments::provider::refund, part).reference == first.reference);
      auto looked = part;
      looked.refund_reference = first.reference;
      BOOST_TEST(to_string(at.told(&payments::provider::refund, looked).what) == "approved");
      const auto rest = at.told(&payments::provider::refund, refund_of(paid.reference, 1550));
      BOOST_TEST(to_string(rest.what) == "approved", test::text_of(rest));
      const auto more = at.told(&payments::provider::refund, refund_of(paid.reference, 1));
      BOOST_TEST(to_string(more.what) == "declined", test::text_of(more));
    }
  }
}

BOOST_AUTO_TEST_CASE(pending_tells_where_the_fan_goes_on) {
  for (const auto& with : all) {
    counter at{with};
    const auto got = at.told(&payments::provider::charge, at.payment("pending"));
    BOOST_TEST(to_string(got.what) == "unknown", with.path << " " << test::text_of(got));
    BOOST_TEST(got.reason.starts_with(payments::pending_reason), test::text_of(got));
    BOOST_TEST(!got.action_url.empty(), with.path);
  }
}
