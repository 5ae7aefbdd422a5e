# SPDX-License-Identifier: BSL-1.0
# The sentence of every static_assert and #error of the headers, one a line: awk -f sentences.awk headers...
function flush_sentence() {
    if (sentence != "") print sentence
    sentence = ""
    collecting = 0
}
/static_assert\(/ { collecting = 1 }
collecting {
    rest = $0
    while (match(rest, /"([^"\\]|\\.)*"/)) {
        sentence = sentence substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, RSTART + RLENGTH)
    }
    if ($0 ~ /\);[ \t]*$/) flush_sentence()
}
/^#error/ {
    text = $0
    while (text ~ /\\$/) {
        sub(/\\$/, "", text)
        if ((getline more) <= 0) break
        text = text more
    }
    sub(/^#error[ \t]*"/, "", text)
    sub(/"[ \t]*$/, "", text)
    print text
}
