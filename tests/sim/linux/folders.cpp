/* SPDX-License-Identifier: Apache-2.0
 * std::filesystem in a folder that is empty at first and at the end.
 */
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

namespace fs = std::filesystem;

static void list()
{
    std::vector<std::string> lines;
    for (auto &entry : fs::recursive_directory_iterator("."))
        lines.push_back(entry.path().string() + (entry.is_symlink()     ? " -> " + fs::read_symlink(entry).string()
                                                 : entry.is_directory() ? "/"
                                                                        : " " + std::to_string(entry.file_size())));
    std::sort(lines.begin(), lines.end());
    for (auto &line : lines)
        std::cout << line << "\n";
}

int main()
{
    std::error_code error;
    fs::create_directories("a/b/c");
    std::ofstream("a/one") << "hello";
    std::ofstream("a/b/two") << std::string(100000, 'x');
    fs::copy_file("a/b/two", "a/b/c/copy");
    fs::copy("a", "z", fs::copy_options::recursive);
    fs::rename("z/one", "z/three");
    fs::resize_file("z/three", 3);
    fs::permissions("z/three", fs::perms::owner_read);
    fs::create_hard_link("a/one", "a/hard");
    fs::create_symlink("one", "a/soft");
    fs::create_directory_symlink("b", "a/folder");
    list();
    std::cout << fs::file_size("a/soft") << " " << fs::file_size("a/folder/two") << " " << fs::is_symlink("a/soft")
              << fs::equivalent("a/one", "a/hard") << fs::hard_link_count("a/one") << "\n";
    std::cout << int(fs::status("z/three").permissions()) << " " << fs::exists("none") << fs::is_empty("a/b/c") << "\n";
    auto time = fs::file_time_type(std::chrono::seconds(1000));
    fs::last_write_time("a/one", time);
    std::cout << (fs::last_write_time("a/hard") == time) << (fs::space(".").capacity > 0) << "\n";
    fs::create_symlink("loop", "loop");
    (void)fs::file_size("loop", error);
    std::cout << error.message() << "\n";
    fs::create_directory("a", error);
    std::cout << error.message() << "\n";
    fs::remove("a", error);
    std::cout << error.message() << "\n";
    fs::current_path("a/b");
    std::cout << fs::exists("two") << fs::exists("../one") << "\n";
    fs::current_path("../..");
    std::cout << fs::remove_all("z") << " " << fs::remove_all("a") << " " << fs::remove("loop") << "\n";
    list();
}
