/* SPDX-License-Identifier: Apache-2.0
 * The results of a sweep as a picture: the values of the first parameter across, cycles up, a line
 * for each combination of the others.
 */
#include <inttypes.h>
#include <string.h>

#include "cli/timing/timing.h"

enum { WIDTH = 900, LEFT = 90, RIGHT = 250, TOP = 30, HIGH = 360, BOTTOM = 50, LEGEND = 22 };

static const char *const colours[] = {"#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f",
                                      "#edc948", "#b07aa1", "#ff9da7", "#9c755f", "#bab0ac"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

static double across(const timing_sweep *sweep, size_t index)
{
    size_t count = sweep->axis[0].count;
    double room = WIDTH - LEFT - RIGHT;
    return LEFT + (count > 1 ? room * (double)index / (double)(count - 1) : room / 2);
}

static double up(uint64_t cycles, uint64_t most)
{
    return TOP + HIGH * (1 - (double)cycles / (double)most);
}

/* At least `value`, with one digit that is not 0, or two that end in 5. */
static uint64_t round_up(uint64_t value)
{
    static const unsigned steps[] = {10, 15, 20, 25, 30, 40, 50, 60, 80, 100};
    for (uint64_t power = 1;; power *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
            if (steps[i] * power >= value)
                return steps[i] * power;
}

static void draw_axes(const timing_sweep *sweep, uint64_t most, FILE *out)
{
    enum { MARKS = 5 };
    for (uint64_t i = 0; i <= MARKS; i++)
        fprintf(out,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%" PRIu64 "</text>\n",
                LEFT, WIDTH - RIGHT, up(most * i / MARKS, most), up(most * i / MARKS, most),
                LEFT - 6, up(most * i / MARKS, most) + 4, most * i / MARKS);
    const timing_axis *axis = &sweep->axis[0];
    size_t step = axis->count / 20 + 1;
    for (size_t i = 0; i < axis->count; i += step)
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                across(sweep, i), TOP + HIGH + 18, axis->value[i]);
    fprintf(out,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"13\">%s</text>"
            "<text x=\"%d\" y=\"18\" font-size=\"13\">cycles</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, TOP + HIGH + 40, axis->name, LEFT - 60);
}

static void print_name(const timing_sweep *sweep, size_t combination, FILE *out)
{
    for (size_t k = 1; k < sweep->axes; k++)
        fprintf(out, "%s%s=%s", k > 1 ? " " : "", sweep->axis[k].name,
                sweep->axis[k].value[timing_index(sweep, combination, k)]);
}

/* The combinations of one line are `lines` apart. */
static void draw_line(const timing_sweep *sweep, size_t line, size_t lines, uint64_t most,
                      FILE *out)
{
    const char *colour = colours[line % COLOURS];
    fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"", colour);
    for (size_t i = 0; i < sweep->axis[0].count; i++)
        fprintf(out, "%.1f,%.1f ", across(sweep, i),
                up(sweep->counts[i * lines + line].cycles, most));
    fputs("\"/>\n", out);
    for (size_t i = 0; i < sweep->axis[0].count; i++) {
        uint64_t cycles = sweep->counts[i * lines + line].cycles;
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s=%s ",
                across(sweep, i), up(cycles, most), colour, sweep->axis[0].name,
                sweep->axis[0].value[i]);
        print_name(sweep, line, out);
        fprintf(out, "&#10;%" PRIu64 " cycles</title></circle>\n", cycles);
    }
    if (sweep->axes == 1 || line >= LEGEND)
        return;
    int y = TOP + 10 + (int)line * 16;
    fprintf(
        out,
        "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">",
        WIDTH - RIGHT + 16, y - 9, colour, WIDTH - RIGHT + 32, y);
    print_name(sweep, line, out);
    fputs("</text>\n", out);
}

void timing_print_chart(const timing_sweep *sweep, FILE *out)
{
    uint64_t most = 1;
    size_t lines = sweep->count / sweep->axis[0].count;
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->counts[i].cycles > most)
            most = sweep->counts[i].cycles;
    most = round_up(most);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, TOP + HIGH + BOTTOM);
    draw_axes(sweep, most, out);
    for (size_t line = 0; line < lines; line++)
        draw_line(sweep, line, lines, most, out);
    fputs("</svg>\n", out);
}
