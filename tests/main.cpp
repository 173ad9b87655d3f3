#include <boost/test/unit_test.hpp>

// The main function of the test programs. Nothing defines a test module, so that all of them can
// share Boost.Test's headers precompiled.
int main(int argc, char** argv) {
  return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
