import subprocess, sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
# Some of the cuts: tests/unit/test_zstd.c makes them all, in one process.
for n in (*range(4, len(data) - 8, 9), *range(len(data) - 8, len(data))):
    run = subprocess.run(["foldstat"], input=data[:n], capture_output=True)
    if run.returncode != 2 or run.stdout or not run.stderr:
        print("cut at", n, run)
whole = subprocess.run(["foldstat", "--format", "plain"], input=data, capture_output=True)
print(whole.returncode, whole.stdout.split()[:2])
