/* Preloaded into a program, makes every clock of it the processor time of its process: see processor_clock.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct timespec real(clockid_t clock) {
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return now;
}

static long long nanoseconds(struct timespec at) { return at.tv_sec * 1000000000LL + at.tv_nsec; }

static struct timespec timespec_of(long long at) { return (struct timespec){at / 1000000000LL, at % 1000000000LL}; }

static int shown(clockid_t clock) {
    return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE ||
           clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_BOOTTIME;
}

/* A day later than 1970 or the start of the machine, plus the processor time. */
static struct timespec ours(void) { return timespec_of(86400000000000LL + nanoseconds(real(CLOCK_PROCESS_CPUTIME_ID))); }

int clock_gettime(clockid_t clock, struct timespec* out) {
    *out = shown(clock) ? ours() : real(clock);
    return 0;
}

int gettimeofday(struct timeval* restrict out, void* restrict zone) {
    struct timespec now = ours();
    (void)zone;
    out->tv_sec = now.tv_sec, out->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t* out) {
    time_t now = ours().tv_sec;
    if (out) *out = now;
    return now;
}

/* The end of a wait by our clock, as the same distance by the machine's. */
static struct timespec later(clockid_t clock, const struct timespec* end) {
    return timespec_of(nanoseconds(real(clock)) + nanoseconds(*end) - nanoseconds(ours()));
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int sem_clockwait(sem_t* sem, clockid_t clock, const struct timespec* end) {
    struct timespec at = later(clock, end);
    return NEXT(sem_clockwait)(sem, clock, &at);
}

int sem_timedwait(sem_t* sem, const struct timespec* end) {
    struct timespec at = later(CLOCK_REALTIME, end);
    return NEXT(sem_timedwait)(sem, &at);
}

int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const struct timespec* end) {
    /* the clock of the condition is not known: a wait of the same length by the machine's monotonic clock */
    struct timespec at = later(CLOCK_MONOTONIC, end);
    return pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, &at);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec* end, struct timespec* left) {
    struct timespec at = flags & TIMER_ABSTIME ? later(clock, end) : *end;
    long done = syscall(SYS_clock_nanosleep, clock, flags, &at, left);
    return done ? errno : 0;
}
