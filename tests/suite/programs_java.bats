#!/usr/bin/env bats
# The Java runtime: it looks at cgroups, host name, /proc and temp by itself.

load programs

setup_file() {
	command -v javac >/dev/null || return 0
	cat >"$BATS_FILE_TMPDIR/Look.java" <<-'END'
		import java.net.InetAddress;
		import java.nio.file.*;
		public class Look {
			public static void main(String[] args) throws Exception {
				Runtime runtime = Runtime.getRuntime();
				switch (args[0]) {
				case "heap":
					System.out.println(runtime.maxMemory());
					break;
				case "processors":
					System.out.println(runtime.availableProcessors());
					break;
				case "host":
					InetAddress me = InetAddress.getLocalHost();
					System.out.println(me.getHostName() + " "
						+ me.isLoopbackAddress());
					break;
				case "temp":
					Path file = Files.createTempFile("look", null);
					Files.writeString(file, "x");
					System.out.println(file.getParent());
					break;
				case "child":
					System.out.println(new ProcessBuilder("sh", "-c",
						"exit 7").start().waitFor());
					break;
				}
			}
		}
	END
	javac -d "$BATS_FILE_TMPDIR" "$BATS_FILE_TMPDIR/Look.java"
}

need_java() {
	require java javac
	cp "$BATS_FILE_TMPDIR/Look.class" "$W"
}

@test "programs: javac and java" {
	need_java
	rm Look.class
	cat >Hello.java <<-'END'
		public class Hello {
			public static void main(String[] args) {
				System.out.println("hello " + args.length);
			}
		}
	END
	inside <<-'END'
		javac Hello.java
		java Hello a b
	END
	assert_status 0
	assert_output_is 'hello 2'
}

@test "programs: Java knows its own host, its temp and its processors" {
	need_java
	outside <<<'java Look processors'
	local processors=$output
	inside <<-'END'
		java Look host
		java Look temp
		java Look child
		java Look processors
	END
	assert_status 0
	assert_output_is "cordon true
/tmp
7
$processors"
}

@test "programs: Java as somebody else" {
	require_root
	need_java
	local options=()
	be_ordinary
	inside "${options[@]}" <<-'END'
		java Look host
		java Look child
	END
	assert_status 0
	assert_output_is $'cordon true\n7'
}

@test "programs: jcmd attaches to a Java process" {
	need_java
	require jcmd jstack
	cat >Wait.java <<-'END'
		public class Wait {
			public static void main(String[] args) throws Exception {
				System.out.println("up");
				Thread.sleep(60000);
			}
		}
	END
	javac Wait.java
	inside <<-'END'
		java Wait >up &
		for try in $(seq 100); do
			[ ! -s up ] || break
			sleep 0.1
		done
		jcmd $! VM.command_line | grep java_command
		jstack $! | grep -c Wait.main
		kill $!
	END
	assert_status 0
	assert_output_has 'java_command: Wait'
}

@test "programs: Java's heap obeys the caller's memory limit" {
	require_root
	need_java
	local group=/sys/fs/cgroup/memory/cordon-test-$$ plain
	mkdir "$group" 2>/dev/null ||
		skip "no version 1 memory hierarchy to make a group in"
	echo $((512 << 20)) >"$group/memory.limit_in_bytes"

	run java Look heap
	plain=$output
	run sh -c 'echo $$ >"$0/cgroup.procs"; exec java Look heap' "$group"
	local expected=$output
	run sh -c 'echo $$ >"$0/cgroup.procs"
		exec "$CORDON" --read "$W" --cwd "$W" -- java Look heap' "$group"
	local heap=$output
	run sh -c 'echo $$ >"$0/cgroup.procs"
		exec "$CORDON" --read "$W" --cwd "$W" -- \
			java -XshowSettings:system -version' "$group"
	rmdir "$group"

	assert_status 0
	assert_output_has 'Memory Limit: 512.00M'
	[ "$heap" = "$expected" ]
	# control: the limit shows
	[ "$plain" != "$expected" ]
}
