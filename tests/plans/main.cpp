#define BOOST_TEST_MODULE plans
#include <boost/test/unit_test.hpp>
