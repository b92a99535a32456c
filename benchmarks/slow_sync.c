/* A disk that takes longer to make a write durable: every fdatasync of the process that this is preloaded into is followed by a pause of
   SLOW_SYNC_US microseconds. The work is done all the same, and the processor is free meanwhile, as with a slow disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int fdatasync(int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    const char *setting = getenv("SLOW_SYNC_US");
    long pause = setting ? atol(setting) : 0;
    int result = real(descriptor);
    struct timespec rest = {pause / 1000000, pause % 1000000 * 1000};
    nanosleep(&rest, 0);
    return result;
}
