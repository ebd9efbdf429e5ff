# deep.py DEPTH CUT OTHERS: CUT distinct stacks of exactly DEPTH frames, and OTHERS of fewer.
import sys

depth, cut, others = map(int, sys.argv[1:])
for i in range(cut):
    print(";".join(f"f{i}_{k}" for k in range(depth)), 1)
for i in range(others):
    print(";".join(f"g{k}" for k in range(2 + i % 20)) + f";leaf{i}", 1)
