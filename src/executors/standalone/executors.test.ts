import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { LOCAL } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { endProcess } from "../fixtures/end-daemon.ts";
import { makeHome, serverOf } from "../fixtures/stage.ts";

test("[P4] the daemon outlives the server that started it, killed or not", async (t) => {
  const home = await makeHome(t);
  const program = join(import.meta.dirname, "../fixtures/obtain.ts");
  const first = spawn(process.execPath, [program, home, "1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [pid] = await once(createInterface(first.stdout), "line");
  first.kill("SIGKILL");
  await once(first, "exit");
  const server = serverOf(home, 2);
  assert.equal((await server.obtain(LOCAL)).pid, Number(pid));
});

test("[P10] [REC-7] after agentctl was killed the next call starts another, and the log tells of both", async (t) => {
  const home = await makeHome(t);
  const told: string[] = [];
  const tell = (level: string) => (_fields: object, words: string) =>
    void told.push(`${level}: ${words}`);
  const log = { info: tell("info"), warn: tell("warn"), error: tell("error") };
  const server = serverOf(home, 1, { log });
  const place = await server.obtain(LOCAL);
  assert.ok(place.pid);
  await endProcess(place.pid);
  await place.closed;
  const next = await server.obtain(LOCAL);
  assert.notEqual(next.pid, place.pid);
  assert.equal((await next.workspace(home)).kind, "directory");
  await server.close();
  assert.deepEqual(told, [
    "info: connected to agentctl",
    "warn: the link to agentctl is lost; it is reached again when it is needed",
    "info: connected to agentctl",
  ]);
});

test("[API-119] looking for agentctl starts none, and finds the one that is there", async (t) => {
  const home = await makeHome(t);
  const server = serverOf(home, 1);
  assert.equal(await server.find(LOCAL), null);
  const { pid } = await server.obtain(LOCAL);
  assert.equal((await server.find(LOCAL))?.pid, pid);
  const next = serverOf(home, 2);
  assert.equal((await next.find(LOCAL))?.pid, pid, "not reached yet");
  assert.ok(pid);
  const place = await next.obtain(LOCAL);
  await endProcess(pid);
  await place.closed;
  assert.equal(await next.find(LOCAL), null);
});

test("[API-119] who looks while agentctl is about to end starts none; who needs one at the same time gets one", async (t) => {
  const home = await makeHome(t);
  const directory = join(home, "agentctl");
  await mkdir(directory, { mode: 0o700 });
  // A killed process may leave its socket to a child for an instant.
  const leaving = createServer((socket) => {
    socket.destroy();
    leaving.close();
  });
  const listen = async () => {
    leaving.listen(join(directory, "agentctl.sock"));
    await once(leaving, "listening");
  };
  await listen();
  const server = serverOf(home, 1);
  assert.equal(await server.find(LOCAL), null);
  await listen();
  const [found, { pid }] = await Promise.all([
    server.find(LOCAL),
    server.obtain(LOCAL),
  ]);
  assert.ok(found === null || found.pid === pid);
  assert.equal((await server.find(LOCAL))?.pid, pid);
});

test("the socket and its directory are for us alone, and the build has a name", async (t) => {
  const home = await makeHome(t);
  const { url, build } = await serverOf(home, 1).obtain(LOCAL);
  assert.match(build, /^0\.0\.0-test-[0-9a-f]{8}$/);
  const path = join(home, "agentctl", "agentctl.sock");
  assert.equal(url, `unix:${path}`);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(join(home, "agentctl"))).mode & 0o777, 0o700);
});

test("a home too deep for a socket works all the same", async (t) => {
  const home = await makeHome(t, "deep".repeat(30));
  const runtime = dirname(home);
  const env = { ...process.env, XDG_RUNTIME_DIR: runtime };
  const place = await serverOf(home, 1, { env }).obtain(LOCAL);
  assert.ok(place.url.startsWith(`unix:${runtime}/reprise-`));
  assert.equal((await place.workspace(home)).kind, "directory");
});

test("a home that cannot be used is refused with its name", async (t) => {
  const made = await makeHome(t);
  const home = join(made, "file");
  await writeFile(home, "");
  await assert.rejects(
    serverOf(made, 1, { home }).obtain(LOCAL),
    (error) =>
      error instanceof RepriseError &&
      error.code === "agentctl_unavailable" &&
      error.message.includes(home),
  );
});
