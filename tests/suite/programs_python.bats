#!/usr/bin/env bats
# Python's own ways to make processes, locks and shared memory.

load programs

setup_file() {
	PY=/usr/bin/python3
	export PY
}

python_inside() {
	cat >steps.py
	run "$CORDON" --write "$W" --cwd "$W" "$@" -- "$PY" steps.py </dev/null
	assert_status 0
}

pools() {
	cat <<-'END'
		import multiprocessing as mp
		from multiprocessing import shared_memory
		from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

		def double(n):
		    return 2 * n

		def add(lock, value):
		    for _ in range(100):
		        with lock:
		            value.value += 1

		def write(name):
		    memory = shared_memory.SharedMemory(name=name)
		    memory.buf[0] = 42
		    memory.close()

		def main(method):
		    ctx = mp.get_context(method)
		    with ctx.Pool(2) as pool:
		        print(sum(pool.map(double, range(10))))
		    lock, value = ctx.Lock(), ctx.Value("i", 0, lock=False)
		    workers = [ctx.Process(target=add, args=(lock, value)) for _ in range(2)]
		    [w.start() for w in workers]
		    [w.join() for w in workers]
		    print(value.value)
		    memory = shared_memory.SharedMemory(create=True, size=64 << 20)
		    worker = ctx.Process(target=write, args=(memory.name,))
		    worker.start()
		    worker.join()
		    print(memory.buf[0])
		    memory.close()
		    memory.unlink()
		    queue = ctx.Queue()
		    queue.put("queued")
		    print(queue.get())
		    with ctx.Manager() as manager:
		        shared = manager.dict(a=1)
		        print(shared["a"])

		if __name__ == "__main__":
		    for method in ("fork", "spawn", "forkserver"):
		        main(method)
		    with ProcessPoolExecutor(2) as pool:
		        print(list(pool.map(double, (1, 2))))
		    with ThreadPoolExecutor(2) as pool:
		        print(list(pool.map(double, (3, 4))))
	END
}

pools_say() {
	local one=$'90\n200\n42\nqueued\n1'
	assert_output_is "$one
$one
$one
[2, 4]
[6, 8]"
}

@test "programs: multiprocessing and concurrent.futures" {
	require "$PY"
	pools >"$SCRATCH/pools.py"
	python_inside <"$SCRATCH/pools.py"
	pools_say
	# control
	run "$PY" steps.py
	pools_say
}

@test "programs: multiprocessing, from root as somebody else" {
	require_root
	require "$PY"
	local options=()
	be_ordinary
	pools >"$SCRATCH/pools.py"
	python_inside "${options[@]}" <"$SCRATCH/pools.py"
	pools_say
}

@test "programs: asyncio's processes, sockets and signals" {
	require "$PY"
	python_inside <<-'END'
		import asyncio, os, signal, sys

		async def serve(reader, writer):
		    writer.write((await reader.readline()).upper())
		    await writer.drain()
		    writer.close()

		async def ask(reader, writer):
		    writer.write(b"word\n")
		    print((await reader.read()).decode().strip())
		    writer.close()

		async def main():
		    child = await asyncio.create_subprocess_exec(
		        "sh", "-c", "cat; exit 7", stdin=-1, stdout=-1)
		    out, _ = await child.communicate(b"through")
		    print(out.decode(), child.returncode)
		    async with await asyncio.start_unix_server(serve, "sock"):
		        await ask(*await asyncio.open_unix_connection("sock"))
		    for host in ("127.0.0.1", "::1"):
		        server = await asyncio.start_server(serve, host, 0)
		        port = server.sockets[0].getsockname()[1]
		        async with server:
		            await ask(*await asyncio.open_connection(host, port))
		    got = asyncio.Event()
		    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, got.set)
		    os.kill(os.getpid(), signal.SIGUSR1)
		    await got.wait()
		    print("signalled")

		if hasattr(asyncio, "PidfdChildWatcher"):
		    asyncio.set_child_watcher(asyncio.PidfdChildWatcher())
		asyncio.run(main())
	END
	assert_output_is $'through 7\nWORD\nWORD\nWORD\nsignalled'
}

@test "programs: a virtual environment" {
	require "$PY"
	inside <<-'END'
		"$PY" -m venv --without-pip env
		. env/bin/activate
		python -c 'import sys; print(sys.prefix != sys.base_prefix)'
		command -v python
	END
	assert_status 0
	assert_output_is "True
$W/env/bin/python"
}

@test "programs: pytest" {
	require "$PY"
	"$PY" -c 'import pytest' 2>/dev/null ||
		skip_or_fail "not found: pytest for $PY"
	cat >test_it.py <<-'END'
		import os, socket, subprocess, pytest

		def test_file(tmp_path):
		    (tmp_path / "x").write_text("x")

		def test_child(capfd):
		    subprocess.run(["echo", "said"], check=True)
		    assert capfd.readouterr().out == "said\n"

		def test_no_network():
		    with pytest.raises(OSError):
		        socket.create_connection(("198.51.100.1", 80), 5)

		def test_nothing_else_is_writable():
		    with pytest.raises(OSError):
		        open("/etc/cordon-test", "w")

		def test_fails():
		    assert os.getpid() < 0
	END
	inside <<-'END'
		"$PY" -m pytest -q test_it.py
	END
	assert_status 1
	assert_output_has '1 failed, 4 passed'
}

@test "programs: what the standard library asks of the system" {
	require "$PY"
	python_inside <<-'END'
		import fcntl, grp, locale, mmap, os, pty, pwd, resource, select
		import signal, socket, ssl, tempfile, threading, time, uuid
		pwd.getpwuid(os.getuid()), grp.getgrgid(os.getgid())
		with tempfile.NamedTemporaryFile() as f:
		    fcntl.flock(f, fcntl.LOCK_EX)
		    fcntl.lockf(f, fcntl.LOCK_EX)
		    f.truncate(1 << 20)
		    mmap.mmap(f.fileno(), 1 << 20)[0] = 1
		    os.posix_fallocate(f.fileno(), 0, 2 << 20)
		os.memfd_create("x")
		os.eventfd(0) if hasattr(os, "eventfd") else None
		os.pidfd_open(os.getpid())
		os.sched_setaffinity(0, os.sched_getaffinity(0))
		os.copy_file_range(os.open(__file__, os.O_RDONLY),
		                   os.open("copy", os.O_CREAT | os.O_WRONLY), 10)
		pid, fd = pty.fork()
		if pid == 0:
		    os.write(1, os.ttyname(0).encode())
		    os._exit(7)
		print(os.read(fd, 100).decode().startswith("/dev/pts/"))
		print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
		resource.setrlimit(resource.RLIMIT_NOFILE, (512, 512))
		a, b = socket.socketpair()
		socket.send_fds(a, [b"x"], [0])
		print(len(socket.recv_fds(b, 1, 1)[1]))
		print(socket.gethostbyname("localhost"), socket.getfqdn("127.0.0.1"))
		print(len(socket.if_nameindex()))
		ssl.create_default_context()
		uuid.uuid1(), time.tzname, locale.setlocale(locale.LC_ALL, "")
		select.epoll().poll(0)
		signal.setitimer(signal.ITIMER_REAL, 0)
	END
	assert_output_is $'True\n7\n1\n127.0.0.1 localhost\n1'
}
