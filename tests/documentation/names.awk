# SPDX-License-Identifier: BSL-1.0
# The public names in Doxygen's XML, a line each: its kind, the name, and "undocumented" where no comment says what it is.
function value(attribute,   text) {
    text = $0
    if (!sub(".*[ <]" attribute "=\"", "", text)) return ""
    sub(/".*/, "", text)
    return text
}
function content(   text) {
    text = $0
    gsub(/^ *<[a-z]*>|<\/[a-z]*>$/, "", text)
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&amp;/, "\\&", text)
    return text
}
function open_level() { ++level; kind[level] = value("kind"); hidden[level] = value("prot") == "private"; told[level] = 0; name[level] = "" }
function close_level(of,   in_a_compound) {
    in_a_compound = level > 1 && name[1] != "" && kind[1] != "file"
    if (!hidden[level] && !(level > 1 && hidden[level - 1]) && of && name[1] !~ /[<@]/ && name[1] !~ /^std/)
        print kind[level], (in_a_compound ? name[1] "::" : "") (level == 3 ? name[2] "::" : "") name[level],
            (told[level] ? "" : "undocumented")
    --level
}
/<compounddef / { open_level() }
/<memberdef / { open_level() }
/<enumvalue / { open_level(); kind[level] = "value" }
/<compoundname>/ { name[level] = content() }
/^ *<name>/ { name[level] = content(); sub(/\)\[.*/, "", name[level]) }
/<(brief|detailed)description>/ { describing = 1 }
describing && /<para>/ { told[level] = 1 }
/<\/(brief|detailed)description>/ { describing = 0 }
/<\/enumvalue>/ { close_level(1) }
/<\/memberdef>/ { close_level(kind[1] ~ /^(struct|class|namespace)$/ || (kind[1] == "file" && kind[2] == "define")) }
/<\/compounddef>/ { close_level(kind[1] ~ /^(struct|class|concept)$/) }
