#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C++ names as they are written: every symbol of a program of the C++ library as c++filt has it, and
damaged symbols, which give a name or themselves.

usage: demangle.py TOOL WORK-DIR"""

import random
import subprocess
import sys

TOOL, WORK = sys.argv[1:]

SOURCE = """
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <regex>
#include <thread>
#include <variant>
namespace shapes { namespace {
template <typename T, int N> struct Box { struct Inner { T at[N]; operator T() const; }; Inner inner;
    Inner &operator[](long) &; template <typename U> Box(U &&, const volatile char *); ~Box();
    static int many(int (*)(char, T), T (&)[N], int Box::*, void (Box::*)(int) const, ...); };
template <typename T, int N> Box<T, N>::Inner::operator T() const { return at[0]; }
template <typename T, int N> typename Box<T, N>::Inner &Box<T, N>::operator[](long) & { return inner; }
template <typename T, int N> template <typename U> Box<T, N>::Box(U &&, const volatile char *) {}
template <typename T, int N> Box<T, N>::~Box() {}
template <typename T, int N> int Box<T, N>::many(int (*)(char, T), T (&)[N], int Box::*, void (Box::*)(int) const, ...) { return N; }
template struct Box<double, 3>;
template Box<double, 3>::Box(std::string &&, const volatile char *);
template <typename... A> auto all(A &&...a) { return [=](auto x) { return (x + ... + a); }(1); }
template <bool B, char C, unsigned U> struct Constants { void use() {} };
template struct Constants<true, 'x', 7u>;
} }
std::ostream &operator<<(std::ostream &out, const std::variant<int, std::string> &) { return out; }
int main()
{
    std::map<std::string, std::function<int(const std::vector<std::string> &, std::filesystem::path)>> table;
    table["a"] = [](auto &&...) { return 1; };
    std::regex expression("a+b*");
    std::cout << std::regex_match("aab", expression) << std::variant<int, std::string>(5) << shapes::all(1, 2.0, 'c');
    std::thread([&] { table.clear(); }).join();
    return std::async([] { return int(std::filesystem::exists("/")); }).get();
}
"""


def ask(command, symbols):
    return subprocess.run(command, input="\n".join(symbols) + "\n", text=True, check=True,
                          stdout=subprocess.PIPE, timeout=120).stdout.splitlines()


def main():
    program = f"{WORK}/demangle"
    with open(program + ".cpp", "w") as file:
        file.write(SOURCE)
    subprocess.run(["riscv64-linux-gnu-g++", "-std=c++17", "-O0", "-static", "-w", program + ".cpp", "-o", program], check=True)
    listed = subprocess.run(["riscv64-linux-gnu-nm", program], text=True, check=True, stdout=subprocess.PIPE).stdout
    symbols = sorted({line.split()[-1] for line in listed.splitlines() if line.split()[-1].startswith("_Z")})
    ours, theirs = ask([TOOL], symbols), ask(["riscv64-linux-gnu-c++filt", "-p", "-i"], symbols)
    ours, theirs = ([name.replace(", , ", ", ").replace("> >", ">>") for name in names]
                    for names in (ours, theirs))  # where a pack is empty
    assert len(ours) == len(theirs) == len(symbols)
    raw = [(s, t) for s, o, t in zip(symbols, ours, theirs) if o == s != t]
    wrong = [(s, o, t) for s, o, t in zip(symbols, ours, theirs) if o not in (s, t)]
    for case in wrong[:20] + raw[:10] * (len(raw) * 50 > len(symbols)):
        print(case)
    print("%d symbols: %d not taken apart, %d wrong" % (len(symbols), len(raw), len(wrong)))
    pick = random.Random(7)
    damaged = ["_Z", "_ZN", "_ZNE", "_Z1", "_Z99999999999999999999a", "main", "", "_ZS_", "_Z" + "N" * 5000, "_Z1aI" + "P" * 5000]
    for _ in range(2000):
        letters = list(pick.choice(symbols))
        for _ in range(pick.randrange(1, 4)):
            place = pick.randrange(2, len(letters))
            letters[place:place + pick.randrange(2)] = pick.choice("_0123456789ISTNEZLKPROVXJDFAMCDabcimpstvUt")
        damaged.append("".join(letters))
    same = len(ask([TOOL], damaged)) == len(damaged)
    sys.exit(bool(wrong) or len(raw) * 50 > len(symbols) or len(symbols) < 4000 or not same)


main()
