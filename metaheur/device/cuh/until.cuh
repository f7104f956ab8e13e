// Whether a chunk ends after a step, but for its last iteration and its target. The numbers come by reference, so that
// a GPU loads those that are asked for, where they are asked for: by value, drivers had more spilled registers.
MH_FN bool reached(const Until& until, const i64& iteration, const i64& improved_at, const i64& evaluated) {
    return iteration - improved_at >= until.stagnation || evaluated >= until.evaluated ||
           (until.on_improvement && improved_at == iteration);
}
