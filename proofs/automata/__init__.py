"""Networks and languages as finite automata that count: theorems for all lengths where no formula is a closed one."""
