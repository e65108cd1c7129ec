/* SPDX-License-Identifier: Apache-2.0
 * ztl draw: what an instruction does, as a picture.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "draw/draw.h"
#include "host/command/message.h"
#include "host/command/options.h"
#include "host/command/terminal.h"
#include "host/error.h"
#include "host/output.h"

static const char *const format_names[] = {"text", "svg", NULL};
enum format { TEXT, SVG, UNCHOSEN };

static const char *const language_names[] = {"en", "zh", NULL}; /* as ztl_language */

enum { ASSIGNMENTS = 40 };

typedef struct options {
    unsigned revision, format, language;
    const char *shape, *type, *path, *instruction;
    const char *assignment[ASSIGNMENTS];
    size_t assignments;
    bool encoding, registers;
} options;

/* What goes to a file or to standard output. */
typedef struct drawing {
    const ztl_picture *picture;
    const ztl_scene *encoding; /* as text it has a form of its own; NULL: the picture */
    enum format format;
    bool is_coloured;
} drawing;

static void print_help(void)
{
    puts("usage: ztl draw [OPTIONS] INSTRUCTION\n"
         "       ztl draw --encoding INSTRUCTION\n"
         "       ztl draw --registers [--shape D0,D1,...] [--type NAME]\n\n"
         "Draws what an instruction does: the model executes it, and each element is\n"
         "coloured by where it came from. A mnemonic alone gets operands. What is not set\n"
         "has a value that shows something; the picture says which.\n\n"
         "  --shape D0,D1,...  the shape, in tshape or in the integer register that has\n"
         "                     it; of tl.addi, the elements that are drawn\n"
         "  --type NAME        the element type, such as int16: 'ztl isa --table type'\n"
         "  --set NAME=VALUE   a CSR or an integer register, may be repeated; values with\n"
         "                     commas go to this CSR and those after it (strides)\n"
         "  --revision 1|2     Ztl 1 or Ztl 2 (the default)\n"
         "  --encoding         the bits of the instruction's word\n"
         "  --registers        the register file, and how the elements of a shape and type\n"
         "                     lie in a register; with four sizes, in a pair\n"
         "  --language en|zh   of the words in the picture: English or Chinese\n"
         "  --format text|svg  text is the default, svg with -o\n"
         "  -o FILE            write to a file\n\n"
         "Examples:\n"
         "  ztl draw 'tl.xpose.12 tl1, tl2, a0' --shape 4,8,8,8 -o xpose.svg\n"
         "  ztl draw 'tl.load tl1, 1(a0)' --shape 3,4 --set tl_load_stride=0,5,2\n"
         "  ztl draw --encoding tl.merge.0\n"
         "  ztl draw --registers --shape 3,5,2 --type int4");
}

static bool take_assignment(void *context, const char *value, ztl_error *error)
{
    options *chosen = context;
    if (chosen->assignments == ASSIGNMENTS)
        return ztl_fail(error, "more than %d of them", ASSIGNMENTS);
    chosen->assignment[chosen->assignments++] = value;
    return true;
}

static int wrong(const char *message)
{
    ztl_message("ztl draw", "%s; see 'ztl draw --help'", message);
    return ZTL_EXIT_USAGE;
}

/* Fills the options from the command line; the exit status, or -1 to go on. */
static int parse(options *chosen, int argc, char **argv)
{
    const ztl_option table[] = {
        {"--shape", .text = &chosen->shape},
        {"--type", .text = &chosen->type},
        {"--set", .take = take_assignment, .context = chosen},
        {"--revision", .number = &chosen->revision, .least = 1, .most = ZTL_REVISIONS},
        {"--encoding", .flag = &chosen->encoding},
        {"--registers", .flag = &chosen->registers},
        {"--language", .choice = &chosen->language, .choices = language_names},
        {"--format", .choice = &chosen->format, .choices = format_names},
        {"-o", .text = &chosen->path},
        {0}};
    int words = ztl_options_take("ztl draw", table, argc, argv);
    if (words == ZTL_OPTIONS_HELP)
        return print_help(), ZTL_EXIT_OK;
    if (words < 0)
        return ZTL_EXIT_USAGE;
    if (words > 1)
        return wrong("one INSTRUCTION only, in quotes");
    if (chosen->registers ? words == 1 : words == 0)
        return wrong(chosen->registers ? "--registers takes no INSTRUCTION"
                                       : "an INSTRUCTION is needed");
    if (chosen->encoding && (chosen->shape || chosen->type || chosen->assignments))
        return wrong("--shape, --type and --set go with a picture of what an instruction does");
    if (chosen->registers && chosen->assignments)
        return wrong("--set goes with a picture of what an instruction does");
    if (chosen->format == UNCHOSEN)
        chosen->format = chosen->path ? SVG : TEXT;
    chosen->instruction = argv[1];
    return -1;
}

static bool prepare(const options *chosen, ztl_scene *scene, ztl_block *block, ztl_error *error)
{
    if (chosen->registers)
        return ztl_block_parse(block, chosen->revision, chosen->shape, chosen->type, error);
    bool good = ztl_scene_start(scene, chosen->revision, chosen->instruction, error) &&
                (!chosen->type || ztl_scene_type(scene, chosen->type, error)) &&
                (!chosen->shape || ztl_scene_shape(scene, chosen->shape, error));
    for (size_t i = 0; good && i < chosen->assignments; i++)
        good = ztl_scene_set(scene, chosen->assignment[i], error);
    scene->language = (ztl_language)chosen->language;
    return good;
}

static bool write_drawing(FILE *file, const void *context)
{
    const drawing *made = context;
    if (made->format == SVG)
        ztl_picture_svg(made->picture, file);
    else if (made->encoding)
        ztl_encoding_text(made->encoding, file);
    else
        ztl_picture_text(made->picture, made->is_coloured, file);
    return !ferror(file);
}

static int write_out(const options *chosen, const drawing *made)
{
    if (!chosen->path)
        return write_drawing(stdout, made) ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
    const ztl_output output = {chosen->path, write_drawing, made};
    if (ztl_outputs_write(&output, 1, NULL))
        return ZTL_EXIT_OK;
    ztl_message("ztl draw", "%s: %s", chosen->path, strerror(errno));
    return ZTL_EXIT_FAILURE;
}

static ztl_picture *draw(const options *chosen, ztl_scene *scene, const ztl_block *block,
                         ztl_error *error)
{
    static const ztl_limits limits[] = {[TEXT] = {.rows = 32, .columns = 32, .text_columns = 80},
                                        [SVG] = {.rows = 32, .columns = 32}};
    if (chosen->registers)
        return ztl_draw_registers(chosen->revision, block, &limits[chosen->format],
                                  (ztl_language)chosen->language, error);
    return chosen->encoding ? ztl_draw_encoding(scene, error)
                            : ztl_draw(scene, &limits[chosen->format], error);
}

int ztl_cli_draw(int argc, char **argv)
{
    options chosen = {.revision = ZTL_REVISIONS, .format = UNCHOSEN};
    int status = parse(&chosen, argc, argv);
    if (status >= 0)
        return status;
    static ztl_scene scene;
    ztl_error error;
    ztl_block block;
    if (!prepare(&chosen, &scene, &block, &error))
        return ztl_message("ztl draw", "%s", error.text), ZTL_EXIT_USAGE;
    ztl_picture *picture = draw(&chosen, &scene, &block, &error);
    if (!picture)
        return ztl_message("ztl draw", "%s", error.text), ZTL_EXIT_FAILURE;
    const drawing made = {.picture = picture,
                          .encoding = chosen.encoding ? &scene : NULL,
                          .format = chosen.format,
                          .is_coloured = !chosen.path && ztl_terminal_colours(stdout)};
    status = write_out(&chosen, &made);
    ztl_picture_free(picture);
    return status;
}
