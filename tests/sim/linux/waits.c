/* SPDX-License-Identifier: Apache-2.0
 * Programs that wait for what never comes, each by the name of what it waits for.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *lock_both(void *unused)
{
    pthread_mutex_lock(&second);
    usleep(10);
    pthread_mutex_lock(&first);
    return unused;
}

int main(int count, char **word)
{
    const char *what = count > 1 ? word[1] : "";
    int ends[2];
    char byte;
    pthread_t thread;
    sigset_t none;
    puts("waits");
    fflush(stdout);
    if (!strcmp(what, "locks")) {
        pthread_mutex_lock(&first);
        pthread_create(&thread, NULL, lock_both, NULL);
        usleep(1000);
        pthread_mutex_lock(&second);
    }
    if (!strcmp(what, "pause"))
        pause();
    if (!strcmp(what, "signal") && !sigemptyset(&none))
        sigsuspend(&none);
    if (!strcmp(what, "pipe") && !pipe(ends))
        (void)!read(ends[0], &byte, 1);
    if (!strcmp(what, "alarm")) {
        alarm(1);
        for (;;)
            ;
    }
    if (!strcmp(what, "process"))
        printf("fork %d\n", fork());
    return 0;
}
