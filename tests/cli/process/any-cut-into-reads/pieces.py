import subprocess, sys
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    answers = []
    for size in len(data), 1, 7:
        run = subprocess.Popen(["foldstat", "--format", "json"], bufsize=0,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for at in range(0, len(data), size):
            run.stdin.write(data[at:at + size])
        answers.append((*run.communicate(), run.returncode))
    print(name, *(answer == answers[0] for answer in answers[1:]))
