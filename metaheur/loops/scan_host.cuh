MH_ENTRY(scan) {
    Walker<Arguments> walker{*arguments, *arguments->control, one_team()};
    if (walker.c.fresh) {
        prepare_state(walker.a.problem, walker.a.neighborhood, walker.team, walker.a.x, walker.a.state);
        walker.evaluate();
    }
    walker.run();
    *arguments->control = walker.c;
}
