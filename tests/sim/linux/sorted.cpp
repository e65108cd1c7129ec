/* SPDX-License-Identifier: Apache-2.0
 * An ordinary C++ program: containers, streams, files, exceptions through frames. It ends by an
 * exception that nobody catches.
 */
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

struct base {
    virtual ~base() = default;
    virtual int value() const = 0;
};

struct derived : base {
    int value() const override
    {
        return 5;
    }
};

struct witness {
    ~witness()
    {
        std::cout << '.';
    }
};

int descend(int depth)
{
    witness here;
    if (depth == 0)
        throw std::runtime_error("at the bottom");
    return descend(depth - 1) + 1;
}

void files()
{
    std::ofstream("kept.txt") << "one\ntwo\n";
    std::ifstream in("kept.txt");
    for (std::string line; std::getline(in, line);)
        std::cout << line << '\n';
    in.close();
    std::remove("kept.txt");
}

void exceptions()
{
    try {
        descend(5);
    } catch (const std::exception &e) {
        std::cout << e.what() << '\n';
    }
    try {
        std::vector<int>().at(3) = 1;
    } catch (const std::out_of_range &) {
        std::cout << "out of range\n";
    }
    try {
        std::unique_ptr<char[]> huge(new char[std::size_t{1} << 50]);
    } catch (const std::bad_alloc &) {
        std::cout << "no memory\n";
    }
}

} // namespace

int main()
{
    std::vector<double> numbers;
    for (int i = 0; i < 500; i++)
        numbers.push_back(i * 7919 % 503 / 8.0);
    std::sort(numbers.begin(), numbers.end());
    std::cout << std::fixed << std::setprecision(3) << numbers[100] << ' ' << numbers.back() << '\n';
    std::map<std::string, int> count;
    for (std::string word; std::cin >> word;)
        count[word]++;
    for (const auto &[word, times] : count)
        std::cout << word << ' ' << times << '\n';
    std::unique_ptr<base> one(new derived);
    std::ostringstream text;
    text << std::hex << 255 << ' ' << one->value() << ' ' << (dynamic_cast<derived *>(one.get()) != nullptr);
    std::cout << text.str() << '\n';
    files();
    exceptions();
    std::cout << std::flush;
    throw 5;
}
