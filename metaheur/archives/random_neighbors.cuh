struct RandomNeighbors : RandomNeighborsData {};
