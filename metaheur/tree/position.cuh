// Where an explorer is: the bound and the depth of its node, the next child to try, and the number after the last
// child.
struct Position {
    i64 lower = 0;
    i32 depth = 0, cursor = 0, limit = 0;

    MH_FN void read(const OpenNode& from) {
        lower = from.lower;
        depth = from.depth;
        cursor = from.cursor;
        limit = from.limit;
    }
    MH_FN void write(OpenNode& to) const {
        to.lower = lower;
        to.depth = depth;
        to.cursor = cursor;
        to.limit = limit;
    }
};
