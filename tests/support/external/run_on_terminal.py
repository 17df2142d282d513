"""Runs a program on a terminal of its own: argv[1] is JSON with command, cwd, env and steps.

Each step waits until the output since the last step contains `expect`, then sends `send`.
Prints JSON: the exit code (negative for a signal), the output, and whether the terminal is in its usual mode again.
"""
import fcntl, json, os, pty, select, subprocess, sys, termios, time

given = json.loads(sys.argv[1])
master, terminal = pty.openpty()
usual = termios.tcgetattr(terminal)
child = subprocess.Popen(
    given["command"],
    cwd=given["cwd"],
    env={**os.environ, **given.get("env", {})},
    stdin=terminal,
    stdout=terminal,
    stderr=terminal,
    start_new_session=True,
    preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
)
output = b""
deadline = time.monotonic() + given.get("seconds", 30)


def read(seconds):
    global output
    if select.select([master], [], [], seconds)[0]:
        output += os.read(master, 65536)
        return True
    return False


problem = None
seen = 0
for step in given["steps"]:
    expected = step["expect"].encode()
    while expected not in output[seen:]:
        read(0.05)
        if time.monotonic() > deadline or (child.poll() is not None and not read(0.2)):
            problem = "no %r in the output" % step["expect"]
            break
    if problem:
        break
    seen = output.index(expected, seen) + len(expected)
    os.write(master, step["send"].encode())

while child.poll() is None and time.monotonic() < deadline and not problem:
    read(0.05)
if child.poll() is None:
    problem = problem or "the program did not end"
    child.kill()
    child.wait()
while read(0.2):
    pass
now = termios.tcgetattr(terminal)
print(
    json.dumps(
        {
            "code": child.returncode,
            "output": output.decode("utf8", "replace").replace("\r\n", "\n"),
            "isRestored": now[:4] == usual[:4],
            "problem": problem,
        }
    )
)
