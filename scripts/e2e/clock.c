/* A clock that a test sets, for processes that know nothing of it: the time of day of every process that this is preloaded into is the
   machine's, moved by as many nanoseconds as the file CLOCK_FILE says (eight bytes, as the machine writes numbers). It goes on meanwhile, and
   clocks that only measure how long something takes are left alone. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *moved;

__attribute__((constructor)) static void open_file(void) {
    const char *path = getenv("CLOCK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(0, sizeof *moved, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) moved = memory;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result != 0 || !moved || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
    int64_t nanoseconds = time->tv_nsec + *moved % 1000000000;
    time->tv_sec += *moved / 1000000000 + nanoseconds / 1000000000;
    time->tv_nsec = nanoseconds % 1000000000;
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
