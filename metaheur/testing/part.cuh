// out[k] = part.MH_FUNCTION(first[k], second[k], ...), for comparison with the Python half.
MH_ENTRY(check) {
    const Arguments& a = *arguments;
    Part part = a.part;
    one_team().for_each(a.count, [&](i64 k) { a.out[k] = MH_CALL; });
}
