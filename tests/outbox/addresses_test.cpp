// Which addresses are public. What is not on the list of the registries of special addresses is
// reached from everywhere; webhooks go nowhere else unless the operator says so.

#include "http/client/public_address.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

using namespace usher::http::client;
namespace ip = boost::asio::ip;

BOOST_AUTO_TEST_CASE(only_what_can_be_reached_from_everywhere_is_public) {
  for (const std::string each :
       {"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
        "127.0.0.1", "127.255.255.254", "169.254.0.1", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255",
        "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1",
        "239.255.255.255", "240.0.0.1", "255.255.255.255",
        // IPv6
        "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:169.254.169.254",
        "::ffff:192.168.1.1", "::ffff:0:127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b:1::1", "100::1", "2001::1", "2001:0:1::1", "2001:1ff::1", "2001:db8::1",
        "2002:7f00:1::", "2002:808:808::1", "3fff::1", "fc00::1", "fd12:3456::1", "fd00:ec2::254",
        "fe80::1", "fe80::1%1", "fec0::1", "ff02::1", "4000::1", "5f00::1"})
    BOOST_TEST(!is_public(ip::make_address(each)), each);
  for (const std::string each : {"1.1.1.1",         "8.8.8.8",
                                 "9.255.255.255",   "11.0.0.0",
                                 "100.63.255.255",  "100.128.0.0",
                                 "126.255.255.255", "128.0.0.1",
                                 "169.253.255.255", "169.255.0.0",
                                 "172.15.255.255",  "172.32.0.0",
                                 "192.0.1.0",       "192.167.255.255",
                                 "192.169.0.0",     "198.17.255.255",
                                 "198.20.0.0",      "223.255.255.255",
                                 "::ffff:8.8.8.8",  "64:ff9b::8.8.8.8",
                                 "2001:200::1",     "2001:4860:4860::8888",
                                 "2606:4700::1111", "2a00:1450::1",
                                 "3ffe::1"})
    BOOST_TEST(is_public(ip::make_address(each)), each);
}

BOOST_AUTO_TEST_CASE(of_several_addresses_the_public_ones_are_left) {
  const auto endpoint = [](const char* address) {
    return ip::tcp::endpoint{ip::make_address(address), 443};
  };
  const ip::tcp::endpoint all[]{endpoint("127.0.0.1"), endpoint("8.8.8.8"), endpoint("::1"),
                                endpoint("2606:4700::1111")};
  const auto results =
      ip::tcp::resolver::results_type::create(std::begin(all), std::end(all), "host", "443");
  std::string left;
  for (const auto& each : public_ones(results))
    left += each.endpoint().address().to_string() + " ";
  BOOST_TEST(left == "8.8.8.8 2606:4700::1111 ");
  const auto none = ip::tcp::resolver::results_type::create(all[0], "host", "443");
  BOOST_TEST(public_ones(none).empty());
}
