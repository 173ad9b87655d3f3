#define BOOST_TEST_MODULE api
#include <boost/test/unit_test.hpp>

#include "tests/api/api_server.hpp"

namespace usher::test {

/// One server for all cases: each makes shows of its own.
struct one_server {
  one_server() { the_server_slot() = std::make_unique<api_server>(); }
  ~one_server() { the_server_slot().reset(); }
};

} // namespace usher::test

using usher::test::one_server;
BOOST_TEST_GLOBAL_FIXTURE(one_server);
