struct GilmoreLawler : GilmoreLawlerData {
    static constexpr int room = int(size);

    MH_FN i64 lower(const QAPTree& tree, const Node& node, int depth) const {
        const int free = room - depth;
        if (!free) return node.fixed;
        i64 costs[room][room];
        bool decided[room];
        for (int place = 0; place < room; ++place) decided[place] = false;
        for (int j = 0; j < depth; ++j) decided[node.places[j]] = true;
        for (int i = 0; i < free; ++i)
            for (int k = 0; k < free; ++k) {
                const int place = node.places[depth + k];
                costs[i][k] = tree.known(node, depth, depth + i, place) + least(tree, depth, depth + i, place, decided);
            }
        return node.fixed + assignment(costs, free);
    }

    // the least product of the flows of a facility, ascending, and the distances of a place, descending
    MH_FN i64 least(const QAPTree& tree, int depth, int facility, int place, const bool* decided) const {
        i64 sum = 0;
        for (int i = 0, k = 0;; ++i, ++k) {
            while (i < room && (int(flows(facility, i)) < depth || int(flows(facility, i)) == facility)) ++i;
            while (k < room && (decided[int(distances(place, k))] || int(distances(place, k)) == place)) ++k;
            if (i >= room || k >= room) return sum;
            sum += i64(tree.a(facility, int(flows(facility, i)))) * i64(tree.b(place, int(distances(place, k))));
        }
    }

    // the least sum of one entry of each row and column: shortest augmenting paths, rows and columns counted from 1
    MH_FN static i64 assignment(const i64 (&costs)[room][room], int count) {
        i64 of_row[room + 1], of_column[room + 1], slack[room + 1];
        int taken_by[room + 1], came_from[room + 1];
        bool seen[room + 1];
        for (int j = 0; j <= count; ++j) {
            of_row[j] = of_column[j] = 0;
            taken_by[j] = 0;
        }
        for (int row = 1; row <= count; ++row) {
            int column = 0;
            taken_by[0] = row;
            for (int j = 0; j <= count; ++j) {
                slack[j] = no_cost;
                seen[j] = false;
                came_from[j] = 0;
            }
            while (taken_by[column]) {
                seen[column] = true;
                const int here = taken_by[column];
                i64 step = no_cost;
                int next = 0;
                for (int j = 1; j <= count; ++j) {
                    if (seen[j]) continue;
                    const i64 reduced = costs[here - 1][j - 1] - of_row[here] - of_column[j];
                    if (reduced < slack[j]) {
                        slack[j] = reduced;
                        came_from[j] = column;
                    }
                    if (slack[j] < step) {
                        step = slack[j];
                        next = j;
                    }
                }
                for (int j = 0; j <= count; ++j) {
                    if (seen[j]) {
                        of_row[taken_by[j]] += step;
                        of_column[j] -= step;
                    } else {
                        slack[j] -= step;
                    }
                }
                column = next;
            }
            for (; column; column = came_from[column]) taken_by[column] = taken_by[came_from[column]];
        }
        return -of_column[0];
    }
};
