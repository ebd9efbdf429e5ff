import os, signal, subprocess, sys
reading, writing = os.pipe()
os.close(reading)  # nobody will ever read
signal.signal(signal.SIGPIPE, signal.SIG_IGN if sys.argv[1] == "ignored" else signal.SIG_DFL)
done = subprocess.run(["foldstat", *sys.argv[2:]], stdout=writing, stderr=subprocess.PIPE, restore_signals=False)
print(done.returncode in (0, -signal.SIGPIPE), done.stderr)
