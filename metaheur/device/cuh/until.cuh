// Whether a chunk of iterations ends. At its beginning `stepped` is false, and only the number of iterations counts.
MH_FN bool reached(const Until& until, bool stepped, i64 iteration, i64 improved_at, i64 evaluated) {
    return iteration >= until.end ||
           (stepped && (iteration - improved_at >= until.stagnation || evaluated >= until.evaluated ||
                        (until.on_improvement && improved_at == iteration)));
}
