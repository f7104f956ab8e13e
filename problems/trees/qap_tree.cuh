// fixed = the cost between the facilities that have a location: the first `depth` of `places`
struct QAPTree : QAPTreeData {
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        child = node;
        const int place = node.places[depth + k];
        child.places[depth + k] = node.places[depth];
        child.places[depth] = u8(place);
        child.fixed += known(child, depth, depth, place);
        return true;
    }

    // the cost of facility i at a place, by itself and with the first `decided` facilities
    MH_FN i64 known(const Node& node, int decided, int i, int place) const {
        i64 cost = i64(a(i, i)) * i64(b(place, place));
        for (int j = 0; j < decided; ++j) {
            const int other = node.places[j];
            cost += i64(a(i, j)) * i64(b(place, other)) + i64(a(j, i)) * i64(b(other, place));
        }
        return cost;
    }
};
