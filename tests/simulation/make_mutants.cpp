// Writes mutated copies of the files that mutants.txt names, each mutation behind a switch, and the
// table of the mutations. Fails if a text that is to be replaced does not stand in its file exactly
// once: the code has moved on, and the mutation has to follow.
//   make_mutants mutants.txt SOURCE_ROOT OUTPUT_FOLDER
//   make_mutants --documented mutants.txt PAGE     does the page have each name?
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct replacement {
  std::string file;
  std::string from;
  std::string to;
};

struct mutant {
  std::string name;
  std::string sentence;
  std::vector<replacement> all;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream in{path};
  if (!in)
    throw std::runtime_error{"cannot read " + path.string()};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void append_line(std::string& to, std::string_view line) {
  if (!to.empty())
    to += '\n';
  to += line;
}

/// `= name`, a sentence, then for each place `@ file`, the lines that stand there after `-`, and
/// those that come instead after `+`. `#` begins a remark.
std::vector<mutant> read_mutants(const std::filesystem::path& path) {
  std::ifstream in{path};
  if (!in)
    throw std::runtime_error{"cannot read " + path.string()};
  std::vector<mutant> all;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    const auto rest = line.substr(std::min<std::size_t>(line.size(), 2));
    if (line[0] == '=') {
      all.push_back({rest, {}, {}});
    } else if (all.empty()) {
      throw std::runtime_error{"a mutation begins with its name: " + line};
    } else if (line[0] == '@') {
      all.back().all.push_back({rest, {}, {}});
    } else if (line[0] == '-' || line[0] == '+') {
      if (all.back().all.empty())
        throw std::runtime_error{all.back().name + ": a file has to be named first"};
      auto& place = all.back().all.back();
      append_line(line[0] == '-' ? place.from : place.to, std::string_view{line}.substr(1));
    } else {
      append_line(all.back().sentence, line);
    }
  }
  return all;
}

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

/// A file's replacements by where they begin.
using places = std::map<std::size_t, replacement>;

void add_place(places& to, const std::string& text, const mutant& of, std::size_t number,
               replacement what) {
  const auto at = text.find(what.from);
  if (what.from.empty() || at == std::string::npos ||
      text.find(what.from, at + 1) != std::string::npos)
    throw std::runtime_error{of.name + ": this does not stand exactly once in " + what.file +
                             ":\n" + what.from};
  replace_all(what.to, "USHER_MUTANT", "(usher_mutant_on == " + std::to_string(number) + ")");
  const auto next = to.lower_bound(at);
  const bool overlaps =
      (next != to.end() && next->first < at + what.from.size()) ||
      (next != to.begin() && std::prev(next)->first + std::prev(next)->second.from.size() > at);
  if (overlaps)
    throw std::runtime_error{of.name + ": replaces what another mutation replaces in " + what.file};
  to.emplace(at, std::move(what));
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out{path};
  out << text;
  if (!out.flush())
    throw std::runtime_error{"cannot write " + path.string()};
}

std::string mutated(const std::string& text, const places& all) {
  std::string made = "extern int usher_mutant_on;\n";
  std::size_t done = 0;
  for (const auto& [at, what] : all) {
    made += text.substr(done, at - done) + what.to;
    done = at + what.from.size();
  }
  return made + text.substr(done);
}

std::string table_of(const std::vector<mutant>& all) {
  std::string made =
      "#include \"tests/simulation/mutants.hpp\"\n\n"
      "const std::vector<usher::simulation::mutant>& usher::simulation::mutants() {\n"
      "  static const std::vector<mutant> all{\n";
  for (const auto& one : all)
    made += "      {\"" + one.name + "\", R\"(" + one.sentence + ")\"},\n";
  return made + "  };\n  return all;\n}\n";
}

void make(const std::filesystem::path& list, const std::filesystem::path& root,
          const std::filesystem::path& out) {
  const auto all = read_mutants(list);
  std::map<std::string, std::string> texts;
  std::map<std::string, places> by_file;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& what : all[i].all) {
      auto& text = texts[what.file];
      if (text.empty())
        text = read(root / what.file);
      add_place(by_file[what.file], text, all[i], i + 1, what);
    }
  for (const auto& [file, its] : by_file)
    write(out / file, mutated(texts[file], its));
  write(out / "mutants_table.cpp", table_of(all));
}

int check_page(const std::filesystem::path& list, const std::filesystem::path& page) {
  const auto text = read(page);
  bool has_all = true;
  for (const auto& one : read_mutants(list))
    if (text.find("| `" + one.name + "` |") == std::string::npos) {
      std::cerr << page.string() << " has no row for the mutation " << one.name << '\n';
      has_all = false;
    }
  return has_all ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

int main(int count, char** values) try {
  const std::vector<std::string> given{values + 1, values + count};
  if (given.size() == 3 && given[0] == "--documented")
    return check_page(given[1], given[2]);
  if (given.size() != 3)
    throw std::runtime_error{"usage: make_mutants mutants.txt SOURCE_ROOT OUTPUT_FOLDER"};
  make(given[0], given[1], given[2]);
  return EXIT_SUCCESS;
} catch (const std::exception& trouble) {
  std::cerr << "make_mutants: " << trouble.what() << '\n';
  return EXIT_FAILURE;
}
