// Reports the first error of compiled methods, if there was one, and resets it.
MH_ENTRY(faults) {
    i64* out = arguments->fault;
    out[0] = mh_fault.kind;
    out[1] = mh_fault.line;
    out[2] = mh_fault.value;
    out[3] = mh_fault.bound;
    out[4] = reinterpret_cast<i64>(mh_fault.file);
    out[5] = reinterpret_cast<i64>(mh_fault.what);
    mh_fault = PyFault{};
}
