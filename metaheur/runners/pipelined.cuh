// For pipelines: whether a walk goes on, and the frame of the entries. On a CPU one call makes many iterations; on a
// GPU an iteration is several launches of different widths, without Python in between.
#ifndef __CUDACC_RTC__
#include <time.h>
#endif
enum Standing { Running = MH_RUNNING, Ended = MH_ENDED, Asks = MH_ASKS, Full = MH_FULL, Cut = MH_CUT };

// whether the best cost has reached the target; several objectives have no target
template <class T> MH_FN bool on_target(const T& best, const T& target) { return best <= target; }
template <class T, int K> MH_FN bool on_target(const Objectives<T, K>&, const Objectives<T, K>&) { return false; }

MH_FN bool goes_on(const Until& until, const Orders& o, const Control& c) {
    const bool stepped = c.iteration > o.begun;
    return c.standing == Running && c.improvements < MH_IMPROVEMENTS && c.iteration < until.end &&
           !(stepped && (reached(until, c.iteration, c.improved_at, c.evaluated) ||
                         (until.has_target && on_target(c.best, until.target))));
}

// The current solution becomes the best one, found in the iteration that was counted last. The caller copies the
// solution.
MH_FN void improve(const Arguments& a, Team team, Control& c) {
    c.best = c.current;
    c.improved_at = c.iteration;
    if (team.rank == 0) a.improvements[c.improvements] = {c.iteration, c.best, c.evaluated};
    ++c.improvements;
}

// nanoseconds since some moment, which is the same for all threads of a device
MH_FN i64 nanoseconds() {
#ifdef __CUDACC_RTC__
    i64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
#else
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return i64(now.tv_sec) * 1000000000 + now.tv_nsec;
#endif
}

// the random numbers of the iteration that is being made
MH_FN Random random_of(const Control& c, u32 stream) { return {c.seed, c.walk, stream, c.iteration + 1}; }

#ifdef __CUDACC__
// f(team, thread, control) by all threads of a launch, if the walk goes on
template <class F> MH_FN void in_wide_phase(const Arguments* arguments, F f) {
    const Control c = *arguments->control;
    if (!goes_on(*arguments->until, *arguments->orders, c)) return;
    in_parallel(1, [&](Team team, i64 thread) { f(team, thread, c); });
}

// f(team, until, orders, control), which writes the control, by one block of MH_THREADS, if the walk goes on
template <class F> MH_FN void in_narrow_phase(const Arguments* arguments, F f) {
    const Team team = one_team(MH_THREADS);  // known when compiled: fewer branches
    const Orders o = fetch(team, arguments->orders);
    const Until until = fetch(team, arguments->until);
    Control c = fetch(team, arguments->control);
    if (!goes_on(until, o, c)) return;
    f(team, until, o, c);
    team.sync();
    if (team.rank == 0) *arguments->control = c;
}
#else
// whether the evaluation was broken off: then the iteration has not happened
MH_FN bool cut(Control& c) {
    if (cancelled()) c.standing = Cut;
    return c.standing == Cut;
}

// step(team, orders, control) makes an iteration, or writes into the control why it cannot; settle, with the same
// arguments, follows the last iteration
template <class Step, class Settle> MH_FN void drive_pipeline(const Arguments* arguments, Step step, Settle settle) {
    const Orders o = *arguments->orders;
    const Until until = *arguments->until;
    Control c = *arguments->control;
    if (!goes_on(until, o, c)) return;
    const Team team = one_team();
    mh_cancel = arguments->cancel;
    const volatile i32* pauses = arguments->cancel + 1;
    do step(team, o, c);
    while (goes_on(until, o, c) && !*pauses);
    if (c.standing == Running) settle(team, o, c);
    *arguments->control = c;
}
#endif
