/* SPDX-License-Identifier: Apache-2.0
 * Threads of the C++ library, and what POSIX has beside it: what they print does not depend on who
 * runs when.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static void locks()
{
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::atomic<int> finished{0}, spins{0};
    long sum = 0;
    for (int i = 0; i < 20; i++)
        threads.emplace_back([&, i] {
            for (int k = 0; k < 2000; k++) {
                std::lock_guard<std::mutex> guard(mutex);
                sum += i;
            }
            finished++;
            while (finished < 20) /* they take turns without being asked */
                spins++;
        });
    for (auto &thread : threads)
        thread.join();
    std::printf("sum %ld finished %d\n", sum, finished.load());
}

static void conditions()
{
    std::condition_variable changed;
    std::mutex mutex;
    int stage = 0;
    std::thread other([&] {
        std::unique_lock<std::mutex> lock(mutex);
        for (int next = 1; next < 100; next += 2) {
            changed.wait(lock, [&] { return stage == next; });
            stage++;
            changed.notify_all();
        }
    });
    std::unique_lock<std::mutex> lock(mutex);
    for (int next = 0; next < 100; next += 2) {
        changed.wait(lock, [&] { return stage == next; });
        stage++;
        changed.notify_all();
    }
    lock.unlock();
    other.join();
    lock.lock();
    auto start = std::chrono::steady_clock::now();
    bool late = changed.wait_for(lock, 30ms) == std::cv_status::timeout;
    bool took = std::chrono::steady_clock::now() - start >= 30ms;
    std::printf("stage %d late %d %d\n", stage, late, took);
}

static void results()
{
    auto sum = std::async(std::launch::async, [] {
        double total = 0;
        for (int i = 1; i < 1000000; i++)
            total += 1.0 / i;
        return total;
    });
    std::thread sleeper([] { std::this_thread::sleep_for(20ms); });
    std::printf("sum %.12f\n", sum.get());
    sleeper.join();
    try {
        std::async(std::launch::async, [] { throw 5; }).get();
    } catch (int number) {
        std::printf("thrown %d\n", number);
    }
    thread_local int own = 3;
    std::thread([] { own = 4; }).join();
    std::printf("own %d\n", own);
}

static void barriers()
{
    pthread_barrier_t barrier;
    pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
    sem_t tokens;
    sem_init(&tokens, 0, 0);
    pthread_barrier_init(&barrier, nullptr, 4);
    std::atomic<int> serial{0}, inside{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&] {
            for (int k = 0; k < 10; k++)
                serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
            pthread_rwlock_rdlock(&shared);
            inside++;
            pthread_rwlock_unlock(&shared);
            sem_post(&tokens);
        });
    for (int i = 0; i < 4; i++)
        sem_wait(&tokens);
    for (auto &thread : threads)
        thread.join();
    std::printf("serial %d inside %d\n", serial.load(), inside.load());
}

static void pipes()
{
    int ends[2], events = eventfd(0, 0), list = epoll_create1(0);
    std::vector<char> bytes(300000), got;
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i] = char(i * 7 / 3);
    if (pipe(ends))
        std::puts("no pipe");
    std::thread writer([&] {
        std::printf("written %zd\n", write(ends[1], bytes.data(), bytes.size()));
        close(ends[1]);
        uint64_t three = 3;
        if (write(events, &three, 8) != 8)
            std::puts("no event");
    });
    char part[5000];
    for (ssize_t now; (now = read(ends[0], part, sizeof part)) > 0;)
        got.insert(got.end(), part, part + now);
    writer.join();
    std::printf("the same %d\n", got == bytes);
    struct epoll_event ask = {}, told[4];
    ask.events = EPOLLIN;
    ask.data.u64 = 77;
    std::printf("add %d again %d\n", epoll_ctl(list, EPOLL_CTL_ADD, events, &ask),
                epoll_ctl(list, EPOLL_CTL_ADD, events, &ask));
    std::printf("ready %d data %d\n", epoll_wait(list, told, 4, -1), int(told[0].data.u64));
    uint64_t count = 0;
    std::printf("read %zd %d\n", read(events, &count, 8), int(count));
    std::printf("ready %d\n", epoll_wait(list, told, 4, 10));
    struct pollfd files[] = {{ends[0], POLLIN, 0}, {events, POLLIN | POLLOUT, 0}, {99, POLLIN, 0}};
    std::printf("poll %d", poll(files, 3, 0));
    std::printf(": %d %d %d\n", files[0].revents, files[1].revents, files[2].revents);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(events, &set);
    struct timeval soon = {0, 1000};
    std::printf("select %d", select(events + 1, &set, nullptr, nullptr, &soon));
    std::printf(" %d\n", FD_ISSET(events, &set) != 0);
    fcntl(events, F_SETFL, O_NONBLOCK);
    std::printf("empty %zd", read(events, &count, 8));
    std::printf(" %s\n", std::strerror(errno));
    close(ends[0]);
    close(events);
    signal(SIGPIPE, SIG_IGN);
    if (pipe(ends))
        std::puts("no pipe");
    close(ends[0]);
    std::printf("broken %zd", write(ends[1], "x", 1));
    std::printf(" %s\n", std::strerror(errno));
}

static volatile sig_atomic_t alarms, kicks;
static thread_local int whose = 1;

static void on_alarm(int)
{
    alarms = alarms + 1;
}

static void on_kick(int)
{
    kicks = whose;
}

static void signals()
{
    struct itimerval soon = {{0, 2000}, {0, 2000}}, none = {};
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &soon, nullptr);
    while (alarms < 3)
        pause();
    setitimer(ITIMER_REAL, &none, nullptr);
    struct sigaction action = {};
    action.sa_handler = on_kick;
    sigaction(SIGUSR1, &action, nullptr);
    std::atomic<bool> ready{false};
    std::thread other([&] {
        sigset_t all_but;
        whose = 2;
        sigfillset(&all_but);
        sigdelset(&all_but, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &all_but, nullptr);
        ready = true;
        while (!kicks)
            usleep(100);
    });
    while (!ready)
        std::this_thread::yield();
    pthread_kill(other.native_handle(), SIGUSR1);
    other.join();
    std::printf("alarms %d kicked %d\n", alarms >= 3, int(kicks));
}

int main()
{
    locks();
    conditions();
    results();
    barriers();
    pipes();
    signals();
}
