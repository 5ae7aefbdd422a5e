// SPDX-License-Identifier: BSL-1.0
#include "attention_map.hpp"

#include <algorithm>
#include <istream>
#include <sstream>
#include <stdexcept>

namespace attention_map {

std::vector<map> read(std::istream& from, const std::string& name)
{
    std::vector<map> maps;
    std::string line;
    for (std::size_t number = 1; std::getline(from, line); ++number) {
        const auto fail = [&](const std::string& what) {
            throw std::runtime_error(name + ": line " + std::to_string(number) + ": " + what);
        };
        if (line.starts_with('#')) {
            const std::size_t title = line.find_first_not_of("# ");
            maps.push_back({title == std::string::npos ? "" : line.substr(title), 0, 0, {}});
            continue;
        }
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        std::vector<float> row;
        for (std::string word; words >> word;) {
            std::size_t end = 0;
            try {
                row.push_back(std::stof(word, &end));
            } catch (const std::exception&) {
                end = 0;
            }
            if (end != word.size()) fail("expected a number, found '" + word + "'");
        }
        if (row.empty()) continue;
        if (maps.empty()) maps.push_back({"", 0, 0, {}});
        map& m = maps.back();
        if (m.queries > 0 && row.size() != m.keys)
            fail("expected " + std::to_string(m.keys) + " weights, as in the row before, found " + std::to_string(row.size()));
        m.keys = row.size();
        ++m.queries;
        m.weights.insert(m.weights.end(), row.begin(), row.end());
    }
    return maps;
}

}  // namespace attention_map
