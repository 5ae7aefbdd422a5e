# SPDX-License-Identifier: BSL-1.0
# Each example of a page or header into a file <its name>_<1, 2, ...>.inc of `folder`; prints the names of those files.
function start() {
    base = FILENAME
    gsub(/^.*\/|\.[a-z]*$/, "", base)
    name = base "_" ++count[base] ".inc"
    print name
    printf "" > (folder "/" name)
    open = 1
}
/^```cpp$/ || /\/\/\/ @code$/ { start(); next }
/^```$/ || /\/\/\/ @endcode$/ { if (open) close(folder "/" name); open = 0; next }
open { sub(/^ *\/\/\/ ?/, ""); print > (folder "/" name) }
