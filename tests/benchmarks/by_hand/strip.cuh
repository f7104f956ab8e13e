struct Strip : StripData {
    MH_FN Total cost(Team, const Item* x) const {
        int skyline[128], height = 0;  // of strips that are not wider
        for (int k = 0; k < width; ++k) skyline[k] = 0;
        for (int p = 0; p < n; ++p) {
            const int wide = sizes(x[p], 0);
            int bottom = 1 << 30, place = 0;
            for (int left = 0; left + wide <= width; ++left) {
                int top = 0;
                for (int k = left; k < left + wide; ++k)
                    if (skyline[k] > top) top = skyline[k];
                if (top < bottom) bottom = top, place = left;
            }
            const int top = bottom + sizes(x[p], 1);
            for (int k = place; k < place + wide; ++k) skyline[k] = top;
            if (top > height) height = top;
        }
        return height;
    }
};
