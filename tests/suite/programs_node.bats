#!/usr/bin/env bats
# Node and npm.

load programs

node_inside() {
	cat >steps.mjs
	run "$CORDON" --write "$W" --cwd "$W" "$@" -- node steps.mjs </dev/null
	assert_status 0
}

@test "programs: Node's workers, children and interfaces" {
	require node
	cat >child.mjs <<-'END'
		process.on("message", (n) => process.send(n * 2, () => process.disconnect()));
	END
	node_inside <<-'END'
		import { Worker } from "node:worker_threads";
		import { fork, execFileSync, spawn } from "node:child_process";
		import { once } from "node:events";
		import os from "node:os";
		import fs from "node:fs";
		import cluster from "node:cluster";

		const worker = new Worker(
			"const { parentPort } = require('node:worker_threads');" +
			"parentPort.postMessage(6 * 7)", { eval: true });
		console.log((await once(worker, "message"))[0]);
		const child = fork("./child.mjs");
		child.send(21);
		console.log((await once(child, "message"))[0]);
		console.log(execFileSync("sh", ["-c", "echo said"]).toString().trim());
		const failing = spawn("sh", ["-c", "exit 7"]);
		console.log((await once(failing, "exit"))[0]);
		console.log(Object.keys(os.networkInterfaces()).join());
		console.log(os.userInfo().uid === process.getuid(), os.hostname());
		fs.watch(".").close();
		console.log(fs.mkdtempSync(os.tmpdir() + "/x").startsWith("/tmp/"));
	END
	assert_output_is $'42\n42\nsaid\n7\nlo\ntrue cordon\ntrue'
}

@test "programs: Node's fetch from a server inside" {
	require node
	node_inside <<-'END'
		import http from "node:http";
		import { once } from "node:events";
		for (const host of ["127.0.0.1", "::1", "localhost"]) {
			const server = http.createServer((_, res) => res.end("page")).listen(0, host);
			await once(server, "listening");
			const name = host === "::1" ? "[::1]" : host;
			const page = await fetch(`http://${name}:${server.address().port}/`);
			console.log(await page.text());
			server.close();
		}
		try {
			await fetch("http://cordon-test.invalid/");
		} catch (why) {
			console.log(["ENOTFOUND", "EAI_AGAIN"].includes(why.cause.code));
		}
	END
	assert_output_is $'page\npage\npage\ntrue'
}

@test "programs: Node as somebody else" {
	require_root
	require node
	local options=()
	be_ordinary
	node_inside "${options[@]}" <<-'END'
		import os from "node:os";
		console.log(os.userInfo().uid, Object.keys(os.networkInterfaces()).join());
	END
	assert_output_is "$(other_uid) lo"
}

# A registry of one package, that fills the caller's cache without leaving this
# machine.
write_registry() {
	mkdir package
	echo '{ "name": "small", "version": "1.0.0", "main": "small.js" }' \
		>package/package.json
	echo 'module.exports = 42;' >package/small.js
	tar -czf small.tgz package
	cat >registry.mjs <<-'END'
		import http from "node:http";
		import fs from "node:fs";
		import crypto from "node:crypto";
		const tarball = fs.readFileSync("small.tgz");
		const server = http.createServer((req, res) => {
			if (req.url.endsWith(".tgz"))
				return res.end(tarball);
			const version = {
				name: "small", version: "1.0.0",
				dist: {
					tarball: `http://${req.headers.host}/small-1.0.0.tgz`,
					integrity: "sha512-" + crypto.createHash("sha512")
						.update(tarball).digest("base64"),
				},
			};
			res.setHeader("content-type", "application/json");
			res.end(JSON.stringify({ name: "small",
				"dist-tags": { latest: "1.0.0" },
				versions: { "1.0.0": version } }));
		}).listen(0, "127.0.0.1", () => console.log(server.address().port));
	END
}

warm_cache() {
	mkdir project
	echo '{ "name": "project", "version": "1.0.0" }' >project/package.json
	node registry.mjs >port 3>&- &
	local registry=$! installed=0
	for _ in $(seq 100); do
		[ ! -s port ] || break
		sleep 0.1
	done
	(
		cd project &&
			npm install --no-audit --no-fund --no-update-notifier \
				--registry "http://127.0.0.1:$(cat ../port)/" small
	) >"$SCRATCH/npm.log" 2>&1 || installed=$?
	kill "$registry"
	[ "$installed" -eq 0 ] || cat "$SCRATCH/npm.log"
	rm -rf project/node_modules
	return "$installed"
}

@test "programs: npm ci --offline over the caller's cache, which stays as it was" {
	require node tar
	# Debian's brings hundreds of packages: only where it is there already
	command -v npm >/dev/null || skip "no npm"
	write_registry
	warm_cache
	[ -d "$HOME/.npm/_cacache" ]
	cd project
	local before
	before=$(tree_of "$HOME")
	run "$CORDON" --write . --overlay @caches -- sh -c \
		'npm ci --offline --no-audit --no-fund &&
		node -p "require(\"small\")"' </dev/null
	assert_status 0
	assert_output_has 'added 1 package'
	assert_output_has 42
	[ "$(tree_of "$HOME")" = "$before" ]
	[ -f node_modules/small/small.js ]

	# controls: without the cache there is no package; outside it changes
	rm -rf node_modules
	run "$CORDON" --write . -- npm ci --offline --no-audit --no-fund </dev/null
	[ "$status" -ne 0 ]
	assert_output_has ENOTCACHED
	npm ci --offline --no-audit --no-fund >/dev/null
	[ "$(tree_of "$HOME")" != "$before" ]
}
