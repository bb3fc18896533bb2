#!/usr/bin/env bats
# The caller's terminal: job control through the wall. Each test is a person at
# an interactive shell.

load terminal

@test "T: Ctrl-C ends the command, as it ends any" {
	play_bash <<-'EOF'
		type ./box ./sleeper\n
		expect ^READY
		type \x03
		expect OUT> $
		type echo rc=$?\n
		expect ^rc=130
		foreground
	EOF
}

@test "T: a command that handles Ctrl-C gets it once and goes on" {
	script counter <<-'EOF'
		n=0
		trap 'n=$((n + 1)); echo GOT $n' INT
		echo READY
		for i in 1 2 3 4 5; do sleep 0.1; done
		echo COUNT $n
	EOF
	play_bash <<-'EOF'
		type ./box ./counter\n
		expect ^READY
		type \x03
		expect GOT 1$
		expect COUNT 1$
		type echo rc=$?\n
		expect ^rc=0
	EOF
}

@test "T: Ctrl-C ends a loop of commands" {
	script round <<-'EOF'
		echo "ROUND $1"
		sleep 1
	EOF
	script stubborn <<-'EOF'
		trap 'exit 0' INT
		echo "ROUND $1"
		sleep 1
	EOF
	play_bash <<-'EOF'
		type for i in 1 2; do ./box ./round $i; done\n
		expect ^ROUND 1
		type \x03
		expect OUT> $
		absent ROUND 2
		# control: the loop goes on after one that took the Ctrl-C
		type for i in 1 2; do ./box ./stubborn $i; done\n
		expect ^ROUND 1
		type \x03
		expect ROUND 2
		type \x03
		expect OUT> $
	EOF
}

@test "T: Ctrl-C ends a loop whose command writes to a file" {
	script quiet_round <<-'EOF'
		echo "ROUND $1" >/dev/tty
		sleep 1
	EOF
	play_bash <<-'EOF'
		type for i in 1 2; do ./box ./quiet_round $i >out; done\n
		expect ^ROUND 1
		type \x03
		expect OUT> $
		absent ROUND 2
	EOF
}

@test "T: Ctrl-C at the command's first word ends a loop" {
	require zsh
	local round
	for round in 1 2 3 4 5 6; do
		play zsh -f -i <<-'EOF'
			expect [%#>] $
			type for i in 1 2; do ./box ./sleeper; echo ROUND; done\n
			expect ^READY
			type \x03
			absent READY
		EOF
	done
}

@test "T: Ctrl-C ends a script" {
	script outer <<-'EOF'
		"$@"
		echo NEXT $?
	EOF
	play_bash <<-'EOF'
		type ./outer ./box ./sleeper\n
		expect ^READY
		type \x03
		expect OUT> $
		absent NEXT
		# control: the script goes on when only the command is killed
		type ./outer ./box sh -c 'kill -TERM $$'\n
		expect ^NEXT 143
	EOF
}

@test "T: a SIGINT from inside is no Ctrl-C for the caller" {
	script suicide <<-'EOF'
		echo "ROUND $1"
		kill -INT $$
	EOF
	play_bash <<-'EOF'
		type for i in 1 2; do ./box ./suicide $i; done\n
		expect ^ROUND 1
		expect ROUND 2
		expect OUT> $
		# control: without the wall it ends the loop
		type for i in 1 2; do ./suicide $i; done\n
		expect ^ROUND 1
		expect OUT> $
		absent ROUND 2
	EOF
}

@test "T: Ctrl-Z stops, bg and fg continue" {
	play_bash <<-'EOF'
		type ./box ./ticker\n
		expect ^tick$
		type \x1a
		expect Stopped
		expect OUT> $
		absent ^tick$
		type bg\n
		expect ^tick$
		expect ^tick$
		type fg\n
		wait 0.3
		type \x1a
		expect Stopped
		type fg\n
		expect ^tick$
		type \x03
		expect OUT> $
		type echo rc=$?\n
		expect ^rc=130
		foreground
	EOF
}

@test "T: kill -TSTP and kill -CONT on the launcher" {
	play_bash <<-'EOF'
		type ./box ./ticker &\n
		expect ^tick$
		type kill -TSTP $!; sleep 0.3; jobs\n
		expect Stopped
		absent ^tick$
		type kill -CONT $!\n
		expect ^tick$
		type kill -TERM $!; wait $!; echo rc=$?\n
		expect ^rc=143
	EOF
}

@test "T: a background job that reads the terminal stops, and reads after fg" {
	play_bash <<-'EOF'
		type ./box cat &\n
		expect OUT> $
		wait 0.5
		type \n
		expect Stopped
		type fg\n
		wait 0.3
		wait 0.3
		type hello\n
		expect ^hello
		expect ^hello
		type \x04
		expect OUT> $
		foreground
	EOF
}

@test "T: a background job that never stopped takes Ctrl-C and Ctrl-Z after fg" {
	play_bash <<-'EOF'
		type ./box ./sleeper &\n
		expect READY
		type fg\n
		wait 0.3
		type \x1a
		expect Stopped
		type fg\n
		wait 0.3
		type \x03
		expect OUT> $
		type echo rc=$?\n
		expect ^rc=130
	EOF
}

@test "T: a pipeline stops and continues as one job" {
	play_bash <<-'EOF'
		type ./box ./ticker | cat\n
		expect ^tick$
		type \x1a
		expect Stopped
		absent ^tick$
		type fg\n
		expect ^tick$
		type \x03
		expect OUT> $
		foreground
	EOF
}

@test "T: a pager at the end of a pipeline keeps the keyboard" {
	require less
	play_bash <<-'EOF'
		type ./box seq 1 500 | less\n
		expect 20$
		type 100g
		expect 110$
		type q
		expect OUT> $
		type echo rc=$?\n
		expect ^rc=0
	EOF
}

@test "T: a command that asks at the terminal, before a pager" {
	require less
	script asker <<-'EOF'
		printf 'NAME? ' >/dev/tty
		read -r name </dev/tty
		echo "hello $name"
		seq 1 500
	EOF
	play_bash <<-'EOF'
		type ./box ./asker | less\n
		expect NAME\?
		wait 0.3
		type you\n
		expect hello you
		type 100g
		expect 110$
		type q
		expect OUT> $
		foreground
	EOF
}

@test "T: bash inside has job control" {
	play_bash <<-'EOF'
		type PS1='IN> ' ./box bash --norc --noprofile -i\n
		expect IN> $
		absent no job control
		type ./sleeper\n
		expect ^READY
		type \x1a
		expect Stopped
		type fg\n
		wait 0.3
		type \x03
		expect IN> $
		type exit 5\n
		expect OUT> $
		type echo rc=$?\n
		expect ^rc=5
		foreground
	EOF
}

@test "T: zsh inside has job control" {
	require zsh
	play_bash <<-'EOF'
		type PS1='IN> ' ./box zsh -f -i\n
		expect IN> $
		type ./sleeper\n
		expect ^READY
		type \x1a
		expect suspended
		type fg\n
		wait 0.3
		type \x03
		expect IN> $
		type exit 5\n
		expect OUT> $
		type echo rc=$?\n
		expect ^rc=5
	EOF
}

@test "T: fish inside has job control" {
	require fish
	play_bash <<-'EOF'
		type ./box fish --no-config -i\n
		expect [%#>] $
		type ./sleeper\n
		expect ^READY
		type \x1a
		expect stopped
		type fg\n
		wait 0.5
		type \x03
		wait 0.3
		type exit 5\n
		expect OUT> $
		type echo rc=$?\n
		expect ^rc=5
	EOF
}

@test "T: the caller's shell is zsh" {
	require zsh
	play zsh -f -i <<-'EOF'
		expect [%#>] $
		type ./box ./ticker\n
		expect ^tick$
		type \x1a
		expect suspended
		absent ^tick$
		type fg\n
		expect ^tick$
		type \x03
		wait 0.3
		type echo rc=$?\n
		expect ^rc=130
		type for i in 1 2; do ./box ./sleeper; echo ROUND; done\n
		expect ^READY
		type \x03
		absent READY
	EOF
}

@test "T: the caller's shell is fish" {
	require fish
	play fish --no-config -i <<-'EOF'
		expect [%#>] $
		type ./box ./ticker\n
		expect ^tick$
		type \x1a
		expect stopped
		absent ^tick$
		type fg\n
		expect ^tick$
		type \x03
		expect [%#>] $
		absent ^tick$
		foreground
	EOF
}

@test "T: less inside" {
	require less
	script pager <<-'EOF'
		seq 1 500 | less
		echo LEFT
	EOF
	play_bash <<-'EOF'
		type ./box ./pager\n
		expect 20$
		type 100g
		expect 110$
		type q
		expect LEFT
		type echo rc=$?\n
		expect ^rc=0
	EOF
}

@test "T: tmux inside" {
	require tmux
	script multiplexed <<-'EOF'
		unset TMUX
		tmux -L inside -f /dev/null new-session 'tty >tty; echo PANE; sleep 1'
		cat tty
	EOF
	play_bash <<-'EOF'
		type ./box ./multiplexed\n
		expect PANE
		expect ^/dev/pts/
		expect OUT> $
		foreground
	EOF
}

@test "T: suspend of a shell inside" {
	play_bash <<-'EOF'
		type PS1='IN> ' ./box bash --norc --noprofile -i\n
		expect IN> $
		type suspend\n
		expect Stopped
		expect OUT> $
		type fg\n
		wait 0.3
		type \n
		expect IN> $
		type exit\n
		expect OUT> $
	EOF
}

@test "T: Ctrl-S does not hold up the end" {
	script outer <<-'EOF'
		./box sh -c 'echo READY; sleep 0.5'
		: >after
		echo AFTER
	EOF
	play ./outer <<-EOF
		expect ^READY
		type \x13
		exists $SCRATCH/after
		type \x11
		expect ^AFTER
		exit 0
	EOF
}

@test "T: a change of the window's size reaches the command" {
	script watcher <<-'EOF'
		trap 'echo SIZE $(stty size </dev/tty)' WINCH
		echo READY
		for i in 1 2 3 4 5 6 7 8 9; do sleep 0.2; done
	EOF
	play ./box ./watcher <<-'EOF'
		expect ^READY
		size 30x100
		expect ^SIZE 30 100
	EOF
	# the terminal is not the command's then
	play sh -c 'true | ./box ./watcher' <<-'EOF'
		expect ^READY
		size 31x101
		expect ^SIZE 31 101
	EOF
}

@test "T: an orphaned background group ends instead of waiting for ever" {
	script outer <<-'EOF'
		# once the shell has taken the terminal back from this script
		(while kill -0 $$; do sleep 0.1; done 2>/dev/null
		./box cat; echo "ENDED $?") </dev/tty &
	EOF
	play_bash <<-'EOF'
		type ./outer\n
		expect OUT> $
		expect ENDED 129
	EOF
}

@test "T: a terminal that hangs up takes the command along" {
	script outer <<-'EOF'
		exec ./box sh -c 'echo $$ >inside; echo READY; exec sleep 1000'
	EOF
	play ./outer <<-'EOF'
		expect ^READY
		hangup
		exit 129
	EOF
}
