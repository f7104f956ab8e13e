"""Readers and writers of the files in which instances and solutions are published.

A module is named after the library or the program that defines a format:

====================  ================================================================================
module                reads
====================  ================================================================================
biq_mac               quadratic 0-1 problems of the Biq Mac library
cvrplib               capacitated vehicle routing problems and their solutions
dimacs                graphs to be colored, of the DIMACS challenge
edge_lists            graphs as lists of edges without weights
flow_shop             flow shops in any of the formats here, and matrices of times without headings
gset                  weighted graphs of G-set and of the generator rudy
job_shops             job shops of OR-Library and of Taillard
knowles_corne         quadratic assignment problems with several flows, the uniform ones also generated
kplib                 0-1 knapsack problems of kplib and of the University of Cauca
liefooghe_flow_shop   flow shops with due dates, by Liefooghe et al.
matrix_market         graphs of Matrix Market
mdplib                maximum diversity problems of MDPLIB
minella_flow_shop     flow shops with due dates and weights, by Minella et al.
or_library            quadratic 0-1, multidimensional knapsack and generalized assignment problems
pisinger              0-1 knapsack problems of Pisinger, with solutions
plain_tables          matrices of distances and lists of coordinates
pmed                  p-median problems of OR-Library
qaplib                quadratic assignment problems and their solutions
qbsolv                quadratic 0-1 problems of the solver qbsolv
taillard_flow_shop    Taillard's flow shops, also generated from their seeds
tsplib                travelling salesman problems, symmetric and asymmetric, and tours
====================  ================================================================================

`recognition` says which of them a file has, `known` by its words or by the `shapes` of its numbers, and
`metaheur.problems.problem_from_file` reads any of them.

A module named ``..._instance`` holds the record that readers return; `files`, `tokens`, `numbers`, `permutations` and
`weighted_pairs` are what the readers are made of. All of them read files compressed with gzip, and raise nothing but
`metaheur.errors.InputError` for what they refuse.
"""
