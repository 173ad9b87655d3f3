// The settings: every key read from a file and from the environment, every bad value refused with
// the key's name, and docs/configuration.md equal to what the table of keys says.
#include "config/settings.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace {

using namespace usher::config;

/// A file with this content, removed at the end.
class temporary_file {
public:
  explicit temporary_file(const std::string& content) {
    char name[] = "/tmp/usher-settings-XXXXXX";
    const int fd = ::mkstemp(name);
    BOOST_REQUIRE(fd >= 0);
    path_ = name;
    std::ofstream{path_} << content;
  }
  ~temporary_file() { std::remove(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
};

faults faults_of(const std::string& content) {
  const temporary_file file{content};
  const auto read = read_file(file.path(), {});
  const auto* found = std::get_if<faults>(&read);
  return found == nullptr ? faults{} : *found;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_file_sets_what_it_names_and_leaves_the_rest) {
  const temporary_file file{R"({"listen": "0.0.0.0:9000", "answerDeadline": "3s", "ioThreads": 2,
                                "trustUserIds": true, "defaultCurrency": "JPY",
                                "customerTokenKeys": "keys.json", "proofOfWorkBits": 20,
                                "proofOfWorkLifetime": "30s", "streamsMax": 7})"};
  const auto read = std::get<settings>(read_file(file.path(), {}));
  BOOST_TEST(read.listen == "0.0.0.0:9000");
  BOOST_TEST(read.answer_deadline_ms == 3000);
  BOOST_TEST(read.io_threads == 2U);
  BOOST_TEST(read.trust_user_ids);
  BOOST_TEST(read.default_currency == "JPY");
  BOOST_TEST(read.customer_token_keys == "keys.json");
  BOOST_TEST(read.proof_of_work_bits == 20U);
  BOOST_TEST(read.proof_of_work_lifetime_ms == 30'000);
  BOOST_TEST(read.streams_max == 7U);
  BOOST_TEST(read.data == settings{}.data);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_with_the_keys_name) {
  const std::map<std::string, std::string> cases{
      {R"({"listen": "nowhere"})", "listen"},
      {R"({"listen": "127.0.0.1:70000"})", "listen"},
      {R"({"answerDeadline": "3 s"})", "answerDeadline"},
      {R"({"answerDeadline": 3})", "answerDeadline"},
      {R"({"ioThreads": -1})", "ioThreads"},
      {R"({"ioThreads": 1.5})", "ioThreads"},
      {R"({"streamsMax": 1000001})", "streamsMax"},
      {R"({"trustUserIds": "yes"})", "trustUserIds"},
      {R"({"defaultCurrency": "XXQ"})", "defaultCurrency"},
      {R"({"data": ""})", "data"},
      {R"({"customerTokenKeys": {"keys": []}})", "customerTokenKeys"},
      {R"({"proofOfWorkBits": 7})", "proofOfWorkBits"},
      {R"({"proofOfWorkBits": 27})", "proofOfWorkBits"},
      {R"({"proofOfWorkLifetime": "9s"})", "proofOfWorkLifetime"},
      {R"({"proofOfWorkLifetime": "2h"})", "proofOfWorkLifetime"},
      {R"({"lisen": "127.0.0.1:1"})", "lisen"},
      {R"([])", "JSON object"},
      {R"({"listen")", "JSON object"},
  };
  for (const auto& [content, named] : cases)
    BOOST_TEST_CONTEXT(content) {
      const auto found = faults_of(content);
      BOOST_REQUIRE(found.size() == 1U);
      BOOST_TEST(found.front().find(named) != std::string::npos, found.front());
    }
}

BOOST_AUTO_TEST_CASE(every_fault_of_a_file_is_listed_not_only_the_first) {
  BOOST_TEST(faults_of(R"({"ioThreads": -1, "data": "", "what": 1})").size() == 3U);
}

BOOST_AUTO_TEST_CASE(each_key_is_read_from_the_environment_too) {
  const std::map<std::string, std::string> given{{"USHER_LISTEN", "127.0.0.1:7"},
                                                 {"USHER_IO_THREADS", "3"}};
  const auto get = [&](const char* name) {
    const auto found = given.find(name);
    return found == given.end() ? nullptr : found->second.c_str();
  };
  const auto read = std::get<settings>(read_environment({}, get));
  BOOST_TEST(read.listen == "127.0.0.1:7");
  BOOST_TEST(read.io_threads == 3U);
  const auto bad = read_environment({}, [](const char*) { return "?"; });
  BOOST_TEST(std::get<faults>(bad).size() >= keys().size() - 2); // "?" is a name of a file
}

BOOST_AUTO_TEST_CASE(the_page_about_configuration_shows_the_table_of_keys) {
  std::ifstream page{USHER_SOURCE_DIR "/docs/configuration.md"};
  const std::string text{std::istreambuf_iterator<char>{page}, {}};
  BOOST_TEST(text.find(documentation()) != std::string::npos,
             "docs/configuration.md should contain:\n"
                 << documentation());
}
