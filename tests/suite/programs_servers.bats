#!/usr/bin/env bats
# Servers and their clients in one sandbox: databases and the web.

load programs

# need_postgres: sets $bin, where Debian keeps what is not in PATH.
need_postgres() {
	local dir
	bin=/usr/lib/postgresql/bin
	for dir in /usr/lib/postgresql/*/bin; do
		[ ! -x "$dir/initdb" ] || bin=$dir
	done
	require "$bin/initdb" psql
}

@test "programs: PostgreSQL over its socket and over 127.0.0.1" {
	local bin options=()
	need_postgres
	be_ordinary
	inside "${options[@]}" --env "BIN=$bin" <<-'END'
		PATH=$BIN:$PATH
		initdb -D data -A trust -U me --no-sync >log 2>&1 || { cat log; exit 1; }
		pg_ctl -D data -l server.log -w -o "-F -k /tmp -h 127.0.0.1,::1" \
			start >/dev/null || { cat server.log; exit 1; }
		psql -qAt -h /tmp -U me postgres -c \
			'create table t (n int); insert into t select generate_series(1, 1000)'
		psql -qAt -h 127.0.0.1 -U me postgres -c 'select sum(n) from t'
		psql -qAt -h ::1 -U me postgres -c 'select count(*) from t'
		psql -qAt -h localhost -U me postgres -c \
			'set max_parallel_workers_per_gather = 2;
			set parallel_setup_cost = 0; set min_parallel_table_scan_size = 0;
			select max(n) from t'
		pg_ctl -D data -m fast stop >/dev/null
	END
	assert_status 0
	assert_output_is $'500500\n1000\n1000'
}

@test "programs: PostgreSQL refuses root, also a root inside" {
	local bin
	need_postgres
	run "$CORDON" --write "$W" --cwd "$W" --uid 0 -- "$bin/initdb" -D data
	assert_status 1
	assert_output_has root
}

redis_round() {
	inside "$@" <<-'END'
		redis-server --port 6379 --bind 127.0.0.1 ::1 --dir "$PWD" \
			--unixsocket "$PWD/redis.sock" --logfile log \
			--save '' --daemonize yes >/dev/null
		for try in $(seq 100); do
			redis-cli ping >/dev/null 2>&1 && break
			sleep 0.1
		done
		redis-cli -h 127.0.0.1 set key value
		redis-cli -h ::1 get key
		redis-cli -s redis.sock incr n
		redis-cli save
		redis-cli config set appendonly yes
		redis-cli shutdown nosave now force || true
		test -s dump.rdb
	END
	assert_status 0
	assert_output_is $'OK\nvalue\n1\nOK\nOK'
}

@test "programs: Redis" {
	require redis-server redis-cli
	redis_round
}

@test "programs: Redis, from root as somebody else" {
	require_root
	require redis-server redis-cli
	local options=()
	be_ordinary
	redis_round "${options[@]}"
	[ "$(stat -c %u dump.rdb)" = "$(other_uid)" ]
}

@test "programs: curl and a web server, by every name of loopback" {
	require curl /usr/bin/python3
	echo page >page
	inside <<-'END'
		/usr/bin/python3 -u -m http.server --bind :: 8000 >log 2>&1 &
		for try in $(seq 100); do
			curl -s http://127.0.0.1:8000/page && break
			sleep 0.1
		done
		curl -s http://localhost:8000/page
		curl -s 'http://[::1]:8000/page'
		curl -s "http://$(hostname):8000/page"
		curl -s --max-time 20 http://198.51.100.1/ || echo "status $?"
		curl -s --max-time 20 http://cordon-test.invalid/ || echo "status $?"
	END
	assert_status 0
	assert_output_is $'page\npage\npage\npage\nstatus 7\nstatus 6'
}

@test "programs: nothing outside reaches a server inside, nor the reverse" {
	require curl /usr/bin/python3
	echo page >page
	/usr/bin/python3 -u -m http.server --bind 127.0.0.1 0 >log 2>&1 3>&- &
	local server=$! port=
	for _ in $(seq 100); do
		port=$(sed -n 's/.* port \([0-9]*\).*/\1/p' log)
		[ -z "$port" ] || break
		sleep 0.1
	done
	# control
	run curl -s "http://127.0.0.1:$port/page"
	assert_output_is page
	inside --env "PORT=$port" <<-'END'
		curl -s "http://127.0.0.1:$PORT/page"
	END
	kill "$server"
	assert_status 7
}

@test "programs: sqlite3, with a journal and with a log" {
	require sqlite3
	inside <<-'END'
		sqlite3 db 'create table t(n); insert into t values (1), (2);'
		sqlite3 db 'pragma journal_mode = wal; insert into t values (3);
			select sum(n) from t;'
		sqlite3 db 'pragma integrity_check'
	END
	assert_status 0
	assert_output_is $'wal\n6\nok'
	[ "$(sqlite3 db 'select count(*) from t')" = 3 ]
}

@test "programs: ping reaches loopback" {
	require ping
	inside <<-'END'
		ping -c1 -W5 127.0.0.1 >/dev/null
		ping -c1 -W5 ::1 >/dev/null
	END
	assert_status 0
}
