"""How two solutions become one."""
