// SPDX-License-Identifier: BSL-1.0
// Runs the cases of one folder: prints a table of errors, writes it as CSV too, and fails if a case does not agree.
#include "run.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iomanip>
#include <string>
#include <string_view>

namespace {

using namespace conformance;

struct counts {
    int agree = 0, fail = 0, unsupported = 0;
    int ordinary = 0, at_most_framework = 0, twice = 0;  ///< of results
};

std::string number(double x)
{
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.3g", x);
    return buffer;
}

std::string ratio(const check& c) { return c.framework > 0 ? number(c.ours / c.framework) : c.ours > 0 ? "inf" : "1"; }

class table {
public:
    explicit table(const std::string& path) : csv_(path)
    {
        row({"case", "result", "ours", "framework", "ratio", "fused", "limit", "verdict", "note"});
    }

    void add(std::string_view name, const check& c)
    {
        row({std::string(name), c.tensor, number(c.ours), number(c.framework), ratio(c), c.fused ? number(*c.fused) : "",
             number(c.limit), c.passed() ? "agrees" : "FAILS", c.note});
    }
    void add(std::string_view name, const std::string& verdict, const std::string& note)
    {
        row({std::string(name), "", "", "", "", "", "", verdict, note});
    }

    [[nodiscard]] bool written() { return csv_.flush().good(); }

private:
    void row(const std::string (&cells)[9])
    {
        constexpr int widths[9] = {-40, -14, 9, 9, 6, 9, 9, -11, 0};
        for (int i = 0; i < 9; ++i) {
            std::printf("%s%*s", i > 0 ? " " : "", widths[i], cells[i].c_str());
            csv_ << (i > 0 ? "," : "") << std::quoted(cells[i], '"', '"');
        }
        std::printf("\n");
        csv_ << '\n';
    }

    std::ofstream csv_;
};

void run(const entry& e, const std::string& folder, table& results, counts& count)
{
    if (e.run == nullptr) {
        results.add(e.name, e.known_kind ? "FAILS" : "unsupported", "unsupported: " + std::string(e.unsupported));
        ++(e.known_kind ? count.fail : count.unsupported);
        return;
    }
    bool agrees = true;
    try {
        for (const check& c : e.run(case_file(folder + "/" + std::string(e.file)))) {
            results.add(e.name, c);
            agrees = agrees && c.passed();
            if (!c.ordinary) continue;
            ++count.ordinary;
            count.at_most_framework += c.ours <= c.framework ? 1 : 0;
            count.twice += c.ours > 2 * c.framework ? 1 : 0;
        }
    } catch (const std::exception& problem) {
        results.add(e.name, "FAILS", problem.what());
        agrees = false;
    }
    ++(agrees ? count.agree : count.fail);
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s folder-of-cases table.csv\n", argv[0]);
        return 2;
    }
    table results(argv[2]);
    counts count;
    for (const entry& e : all_cases()) run(e, argv[1], results, count);
    std::printf("%d of %zu cases passed; %d failed, %d of a kind that is not served\n", count.agree, all_cases().size(),
                count.fail, count.unsupported);
    std::printf("our error is at most the framework's in %d of %d ordinary results, more than twice as large in %d\n",
                count.at_most_framework, count.ordinary, count.twice);
    if (!results.written()) {
        std::fprintf(stderr, "cannot write %s\n", argv[2]);
        return 1;
    }
    constexpr int skipped = 77;
    return count.fail > 0 ? 1 : count.agree == 0 ? skipped : 0;
}
