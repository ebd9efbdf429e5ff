# Every file says the same however it arrives: at once, or by a few bytes.
import subprocess, sys, time

for name in sys.argv[1:]:
    with open(name, "rb") as file:
        data = file.read()
    whole = subprocess.run(["foldstat", "--format", "json"], input=data, capture_output=True, check=True)
    slow = subprocess.Popen(["foldstat", "--format", "json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    for at in range(0, len(data), 7):
        slow.stdin.write(data[at:at + 7])
        slow.stdin.flush()
        time.sleep(0.001)
    out, err = slow.communicate()
    print(name, "same" if (out, err) == (whole.stdout, whole.stderr) else "differs")
