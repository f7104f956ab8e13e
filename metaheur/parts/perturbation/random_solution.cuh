struct RandomSolution : RandomSolutionData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        draw_solution<permutes>(walk.team, walk.x, n, values, walk.random(restart_stream));
        walk.cost = cost_of(walk.problem, walk.team, walk.x);
        return 1;
    }
};
