# SPDX-License-Identifier: BSL-1.0
# Usage: gnuplot results.gnuplot plot.gnuplot; draws results.svg. results.gnuplot, written by the benchmark, sets
# caption and $speed: a row a shape, a column a library, the fastest rival of the row being 1.
if (!exists("output")) output = "results.svg"

stats $speed using 2 every ::1 nooutput
highest = STATS_max < 1.1 ? 1.1 : STATS_max > 2 ? 2 : STATS_max
shown(x) = x > highest ? highest : x  # the number above a bar that is cut tells its height
libraries = words($speed[1]) - 1
shapes = |$speed| - 1
panels = shapes > 12 ? 2 : 1  # one above the other
per_panel = int(ceil(shapes / real(panels)))
bar = 1.0 / (libraries + 2)   # in units of the axis; between shapes there is room for two bars

height = 90 + 330 * panels
above(pixels) = pixels / real(height)  # of the bottom, as a part of the picture
set terminal svg size 1200, height font "sans-serif,13" background "white" noenhanced
set output output
set style data histograms
set style histogram clustered gap 2
set style fill solid 1.0 noborder
title = "Multi-head attention: speed of each library's best way, the fastest rival of a shape being 1"
set border 3 lc rgb "#444444"
set tics nomirror scale 0.5
set xtics scale 0 font ",11"
set grid ytics lc rgb "#dddddd" lw 1
set ylabel "speed, fastest rival = 1"
set yrange [0 : 1.12 * highest]
set linetype 1 lc rgb "#c0392b"
set linetype 2 lc rgb "#27496d"
set linetype 3 lc rgb "#5b8db8"
set linetype 4 lc rgb "#7fb3a5"
set linetype 5 lc rgb "#b5a36a"
set linetype 6 lc rgb "#bdbdbd"
set style textbox opaque fillcolor rgb "white" noborder margins 0.5, 0.5
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#444444" lw 1 back

set multiplot layout panels, 1 margins 0.065, 0.99, above(135), above(height - 97) spacing 0, above(97)
do for [panel = 1 : panels] {
    first = (panel - 1) * per_panel
    last = first + per_panel - 1
    if (panel == 1) { set key at screen 0.5, above(height - 45) center top horizontal samplen 1.5 } else { unset key }
    if (panel == 1) { set label 1 title at screen 0.5, above(height - 19) center font ",15" } else { unset label 1 }
    if (panel == panels) { set label 2 caption at screen 0.065, above(41) left font ",11" tc rgb "#555555" }
    set xrange [-0.6 : per_panel - 0.4]
    plot for [i = 2 : libraries + 1] $speed every ::first + 1::last + 1 using (shown(column(i))):xtic(1) title word($speed[1], i), \
        "" every ::first + 1::last + 1 using ($0 - (libraries - 1) / 2.0 * bar):(shown($2)):(sprintf("%.2f", $2)) \
            with labels boxed offset 0, 0.7 font ",10" tc rgb "#c0392b" notitle
}
unset multiplot
