struct RandomChoice : RandomChoiceData {
    MH_FN i64 choose(i64 count, Words words) const { return scaled(words.word[0], words.word[1], count); }
    MH_FN void record(Team, i64, i64, int) const {}
};
