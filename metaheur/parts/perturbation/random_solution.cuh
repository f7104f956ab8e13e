struct RandomSolution : RandomSolutionData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        walk.space.draw(walk.team, walk.x, walk.random(restart_stream));
        walk.cost = cost_of(walk.problem, walk.team, walk.x);
        return 1;
    }
};
