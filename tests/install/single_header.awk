# SPDX-License-Identifier: BSL-1.0
# The library as one header: awk -v root=<folder of include> [-v others=<folders of Boost and xsimd, separated by :>]
# [-v libraries="boost"], if not both, -f this file.
# Headers of headstrong, and those found in `others`, are written where they are included first, others stay #include lines. (A condition
# around the first #include of Hana or xsimd holds wherever the header is included again: the test compiles the result.)
function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
function readable(path,   line, found) {
    if (path in done) return 1  # it may be open
    found = (getline line < path) >= 0
    close(path)
    return found
}
function normal(path) {
    while (sub(/[^\/.]+\/\.\.\//, "", path)) {}
    gsub(/\/\.\//, "/", path)
    return path
}
function resolve(name, quoted, from,   path, i) {
    if (name ~ /^headstrong\//) return root "/" name
    if (others == "") return ""
    if (quoted) {
        path = normal(folder_of(from) "/" name)
        if (from !~ ("^" root "/") && readable(path)) return path
    }
    if (name !~ ("^(" libraries ")/")) return ""
    for (i = 1; i <= folders; ++i) {
        path = normal(folder[i] "/" name)
        if (readable(path)) return path
    }
    return ""
}
function write(path,   line, name, quoted, target) {
    done[path] = 1
    while ((getline line < path) > 0) {
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*["<]/) {
            quoted = line ~ /include[ \t]*"/
            name = line
            sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", name)
            sub(/[">].*$/, "", name)
            target = resolve(name, quoted, path)
            if (target == "") print line
            else if (!(target in done)) write(target)
        } else if (line !~ /^[ \t]*#[ \t]*pragma[ \t]+once/) {
            print line
        }
    }
    close(path)
}
BEGIN {
    folders = split(others, folder, ":")
    if (libraries == "") libraries = "boost|xsimd"
    write(root "/headstrong/headstrong.hpp")
}
