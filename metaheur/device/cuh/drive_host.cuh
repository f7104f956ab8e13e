// Walks on the CPU: a thread owns a walk, and as many walks run at the same time as there are threads.
MH_ENTRY(drive) {
    const Arguments& a = *arguments;
    mh_cancel = a.cancel;
    auto one = [&](i64 number, i64 thread) {
        Team team;
#ifdef _OPENMP
        team.slot = int(thread);
#endif
        drive_walk(a, a.problem, a.loop, team, number, Arena{nullptr}, a.scratch + thread * a.problem.n);
    };
#ifdef _OPENMP
    if (value > 1 && a.threads > 1) {
#pragma omp parallel for schedule(dynamic) num_threads(int(a.threads))
        for (i64 number = 0; number < value; ++number) one(number, omp_get_thread_num());
        return;
    }
#endif
    for (i64 number = 0; number < value; ++number) one(number, 0);
}
