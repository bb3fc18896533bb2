#!/usr/bin/env bats
# P7: the caller's terminal is as it was afterwards, and nothing from inside
# reaches the caller's group.

load terminal

@test "P7: terminal modes are as they were, also after SIGKILL in raw mode" {
	script raw <<-'EOF'
		stty raw -echo
		echo RAW
		kill -9 $$
	EOF
	script outer <<-'EOF'
		echo BEGIN
		read -r x
		"$@"
		echo END
		read -r x
	EOF
	play sh -c './outer ./box ./raw' <<-'EOF'
		expect ^BEGIN
		modes before
		type \n
		expect ^END
		same before
		foreground
		type \n
		exit 0
	EOF
	# control: without the wall they stay raw
	play sh -c './outer ./raw' <<-'EOF'
		expect ^BEGIN
		modes before
		type \n
		expect END
		differ before
	EOF
}

@test "P7: modes that a stopped command set come back with it only" {
	script raw_reader <<-'EOF'
		exec /usr/bin/python3 -c 'import os, signal, termios, time, tty
		def again(*_):
		    canonical = termios.tcgetattr(0)[3] & termios.ICANON
		    os.write(1, b"AGAIN canonical\n" if canonical else b"AGAIN raw\n")
		signal.signal(signal.SIGCONT, again)
		tty.setcbreak(0)
		print("READY", flush=True)
		time.sleep(1000)'
	EOF
	play dash -i <<-'EOF'
		expect OUT> $
		modes before
		type ./box ./raw_reader\n
		expect READY
		differ before
		type \x1a
		expect Stopped
		same before
		type fg\n
		expect AGAIN raw
		type \x03
		same before
	EOF
}

@test "P7: output that the command stopped flows again" {
	script stopper <<-'EOF'
		exec /usr/bin/python3 -c 'import termios
		termios.tcflow(0, termios.TCOOFF)'
	EOF
	script outer <<-'EOF'
		"$@"
		echo AFTER
	EOF
	play ./outer ./box ./stopper <<-'EOF'
		expect ^AFTER
		exit 0
	EOF
	# control
	play ./outer ./stopper <<-'EOF'
		absent AFTER
	EOF
}

@test "P7: kill 0 inside does not reach the caller's group" {
	script outer <<-'EOF'
		trap 'echo HIT; exit 7' TERM
		"$@"
		echo NEXT
	EOF
	play ./outer ./box sh -c 'kill 0' <<-'EOF'
		expect ^NEXT
		exit 0
	EOF
	# control
	play ./outer sh -c 'kill 0' <<-'EOF'
		expect ^HIT
	EOF
}

@test "P7: a stop from inside does not stop the caller's group" {
	script outer <<-'EOF'
		./ticker &
		"$@"
		echo NEXT
	EOF
	play_bash <<-'EOF'
		type ./outer ./box sh -c 'echo GO; kill -TSTP 0'\n
		expect ^GO
		wait 0.5
		expect ^tick$
		expect ^tick$
		absent Stopped
	EOF
	# control
	play_bash <<-'EOF'
		type ./outer sh -c 'echo GO; kill -TSTP 0'\n
		expect ^GO
		expect Stopped
	EOF
}

@test "P7: nothing is pushed into the terminal (TIOCSTI)" {
	script pusher <<-'EOF'
		exec /usr/bin/python3 -c 'import fcntl, termios
		try:
		    fcntl.ioctl(0, termios.TIOCSTI, b"#")
		    print("PUSHED")
		except OSError as why:
		    print("REFUSED", why.errno)'
	EOF
	play ./box ./pusher <<-'EOF'
		expect ^REFUSED
		exit 0
	EOF
	# control: where the kernel still has it
	if [ "$(cat /proc/sys/dev/tty/legacy_tiocsti 2>/dev/null)" = 1 ]; then
		play ./pusher <<-'EOF'
			expect PUSHED
		EOF
	fi
}
