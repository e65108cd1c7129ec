/* SPDX-License-Identifier: Apache-2.0
 * Colours for editors: assembly with the mnemonics, registers, CSRs and engines of the table.
 */
#include "isa/print/print.h"

#include <string.h>

/* Calls `word` for each spelling of a CSR: lower case, without an index. */
static void each_csr(void (*word)(FILE *out, const char *name, size_t length), FILE *out)
{
    const ztl_csr_row *row;
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++) {
        word(out, row->name, strlen(row->name));
        for (const char *at = row->also; at && *at;) {
            size_t length = strcspn(at, " ,");
            word(out, at, length);
            at += length + strspn(at + length, " ,");
        }
    }
}

static void alternative(FILE *out, const char *name, size_t length)
{
    fprintf(out, "|%.*s", (int)length, name);
}

static void each_mnemonic(FILE *out, const char *dot)
{
    const ztl_insn_row *row;
    bool more = false;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        bool is_first = true; /* of those that both revisions have */
        for (size_t k = 0; k < i; k++)
            is_first &= strcmp(ztl_isa_insn(k)->mnemonic, row->mnemonic) != 0;
        if (!is_first)
            continue;
        fputs(more ? "|" : "", out);
        for (const char *at = row->mnemonic; *at; at++)
            *at == '.' ? fputs(dot, out) : putc(*at, out);
        more = true;
    }
}

static void engines(FILE *out)
{
    for (unsigned e = 0; *ztl_engine_name(e); e++)
        fprintf(out, "%s%s", e ? "|" : "", ztl_engine_name(e));
}

/* "match" of Vim takes very magic patterns, where < > are words' ends and | needs no backslash. */
void ztl_print_vim(FILE *out)
{
    fputs("\" Vim syntax file: RISC-V assembly with TensorLoad (Ztl)\n"
          "if exists('b:current_syntax') | finish | endif\n"
          "syntax case ignore\n"
          "syntax match ztlMnemonic /\\v^\\s*(\\w+:\\s*)*\\zs[a-z][a-z0-9.]*>/\n"
          "syntax match ztlInstruction /\\v<(",
          out);
    each_mnemonic(out, "\\.");
    fputs(")>/\nsyntax match ztlTensor /\\v<tlr?([12]?\\d|3[01])>/\n"
          "syntax match ztlRegister /\\v<(x([12]?\\d|3[01])|f([12]?\\d|3[01])|zero|ra|sp|gp|tp|fp|"
          "f?[ast]\\d{1,2})>/\n"
          "syntax match ztlCsr /\\v<(csr",
          out);
    each_csr(alternative, out);
    fputs(")(\\d+|\\{\\d+\\})?>/\nsyntax match ztlEngine /\\v,\\s*\\zs(", out);
    engines(out);
    fputs(")\\ze\\s*([#;]|$)/\n"
          "syntax match ztlNumber /\\v<(0x\\x+|0b[01]+|\\d+)>/\n"
          "syntax match ztlDirective /\\v\\.[a-z_][a-z0-9_.]*/\n"
          "syntax match ztlLabel /\\v^\\s*[a-z0-9_.$]+:/\n"
          "syntax region ztlString start=/\"/ skip=/\\\\./ end=/\"/ oneline\n"
          "syntax match ztlComment /#.*/ contains=@Spell\n"
          "syntax region ztlComment start=/\\/\\*/ end=/\\*\\// contains=@Spell\n"
          "highlight default link ztlMnemonic Statement\n"
          "highlight default link ztlInstruction Function\n"
          "highlight default link ztlTensor Type\n"
          "highlight default link ztlRegister Identifier\n"
          "highlight default link ztlCsr Constant\n"
          "highlight default link ztlEngine Special\n"
          "highlight default link ztlNumber Number\n"
          "highlight default link ztlDirective PreProc\n"
          "highlight default link ztlLabel Label\n"
          "highlight default link ztlString String\n"
          "highlight default link ztlComment Comment\n"
          "let b:current_syntax = 'ztl'\n",
          out);
}

static void vscode_rule(FILE *out, const char *scope, const char *before, void (*middle)(FILE *out),
                        const char *after)
{
    fprintf(out, "    {\"name\": \"%s.ztl\", \"match\": \"%s", scope, before);
    if (middle)
        middle(out);
    fprintf(out, "%s\"},\n", after);
}

static void dotted(FILE *out)
{
    each_mnemonic(out, "\\\\.");
}

static void csr_names(FILE *out)
{
    fputs("csr", out);
    each_csr(alternative, out);
}

void ztl_print_vscode(FILE *out)
{
    fputs("{\n  \"name\": \"RISC-V assembly with Ztl\", \"scopeName\": \"source.ztl\",\n"
          "  \"fileTypes\": [\"s\", \"S\"],\n  \"patterns\": [\n",
          out);
    vscode_rule(out, "comment.line", "#.*$", NULL, "");
    fputs("    {\"name\": \"comment.block.ztl\", \"begin\": \"/\\\\*\", \"end\": \"\\\\*/\"},\n"
          "    {\"name\": \"string.quoted.double.ztl\", \"begin\": \"\\\"\", \"end\": \"\\\"\", "
          "\"patterns\": [{\"name\": \"constant.character.escape.ztl\", \"match\": "
          "\"\\\\\\\\.\"}]},\n",
          out);
    vscode_rule(out, "entity.name.label", "^\\\\s*[A-Za-z0-9_.$]+:", NULL, "");
    vscode_rule(out, "support.function", "\\\\b(", dotted, ")\\\\b(?!\\\\.)");
    vscode_rule(out, "support.type.tensor", "\\\\btlr?([12]?[0-9]|3[01])\\\\b", NULL, "");
    vscode_rule(out, "support.constant.csr", "(?i)\\\\b(", csr_names,
                ")([0-9]+|\\\\{[0-9]+\\\\})?(?![A-Za-z0-9_])");
    vscode_rule(out, "storage.modifier.engine", "(?<=,)\\\\s*(", engines, ")\\\\s*(?=$|[#;])");
    vscode_rule(out, "variable.language.register",
                "\\\\b(x([12]?[0-9]|3[01])|f([12]?[0-9]|3[01])|zero|ra|sp|gp|tp|fp|"
                "f?[ast][0-9]{1,2})\\\\b",
                NULL, "");
    vscode_rule(out, "constant.numeric", "\\\\b(0x[0-9A-Fa-f]+|0b[01]+|[0-9]+)[bf]?\\\\b", NULL,
                "");
    vscode_rule(out, "keyword.directive", "\\\\.[A-Za-z_][A-Za-z0-9_.]*", NULL, "");
    fputs("    {\"name\": \"keyword.mnemonic.ztl\", \"match\": \"(?<=^|[:;]|\\\\s)[a-z][a-z0-9.]*"
          "(?=\\\\s|$)\"}\n  ]\n}\n",
          out);
}

void ztl_print_pygments(FILE *out)
{
    fputs("\"\"\"A Pygments lexer of RISC-V assembly with TensorLoad (Ztl).\"\"\"\n\n"
          "import re\n\n"
          "from pygments.lexer import RegexLexer, bygroups\n"
          "from pygments.token import (Comment, Keyword, Name, Number, Operator, Punctuation, "
          "String,\n"
          "                            Whitespace)\n\n\n"
          "class ZtlLexer(RegexLexer):\n"
          "    name, aliases, filenames = \"RISC-V assembly with Ztl\", [\"ztl\"], [\"*.s\", "
          "\"*.S\"]\n"
          "    flags = re.MULTILINE | re.IGNORECASE\n"
          "    tokens = {\"root\": [\n"
          "        (r\"\\s+\", Whitespace),\n"
          "        (r\"#.*?$|/\\*[\\s\\S]*?\\*/\", Comment),\n"
          "        (r'\"(\\\\.|[^\"\\\\\\n])*\"', String),\n"
          "        (r\"'(\\\\.|[^\\\\\\n])'?\", String.Char),\n"
          "        (r\"[\\w.$]+:\", Name.Label),\n"
          "        (r\"(",
          out);
    each_mnemonic(out, "\\.");
    fputs(")(?![\\w.])\", Keyword.Reserved),\n"
          "        (r\"tlr?([12]?\\d|3[01])\\b\", Name.Variable.Magic),\n"
          "        (r\"(csr",
          out);
    each_csr(alternative, out);
    fputs(")(\\d+|\\{\\d+\\})?(?!\\w)\", Name.Constant),\n"
          "        (r\"(,)(\\s*)(",
          out);
    engines(out);
    fputs(")(?=\\s*($|[#;]))\", bygroups(Punctuation, Whitespace, Keyword.Type)),\n"
          "        "
          "(r\"(x([12]?\\d|3[01])|f([12]?\\d|3[01])|zero|ra|sp|gp|tp|fp|f?[ast]\\d{1,2})\\b\", "
          "Name.Variable),\n"
          "        (r\"0x[0-9a-f]+|0b[01]+|\\d+[bf]?\\b\", Number),\n"
          "        (r\"\\.[a-z_][\\w.]*\", Keyword.Declaration),\n"
          "        (r\"[a-z_][\\w.$]*\", Name),\n"
          "        (r\"[-+*/%&|^~<>=!@\\\\\\\\.]\", Operator),\n"
          "        (r\"[(),;{}]\", Punctuation),\n"
          "    ]}\n",
          out);
}
