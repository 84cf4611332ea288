import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import * as z from "zod";
import { collect } from "../client/pages.ts";
import { connect, ServerUnreachable } from "../client/client.ts";
import { identify } from "../kit/processes/process-identity.ts";
import { reconnectingAddress } from "./reconnecting-address.ts";

const executable = new URL("../../bin/reprise", import.meta.url).pathname;

const serverOf = async (home: string): Promise<number> =>
  z
    .object({ pid: z.number() })
    .parse(JSON.parse(await readFile(join(home, "server.json"), "utf8"))).pid;

const killServer = async (home: string): Promise<number> => {
  const pid = await serverOf(home);
  process.kill(pid, "SIGKILL");
  while ((await identify(pid)) !== null);
  return pid;
};

const freshHome = async (t: TestContext): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), "reprise-local-"));
  t.after(async () => {
    await killServer(home).catch(() => undefined);
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  });
  return home;
};

const lasting = (
  home: string,
  env: Record<string, string> = {},
  more: { keepsStopped?: boolean } = {},
) =>
  connect(
    reconnectingAddress({
      ...more,
      executable,
      cwd: home,
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        REPRISE_HOME: home,
        REPRISE_PORT: "0",
        ...env,
      },
    }),
  );

test("[API-160] a server is started where none runs, once for all who ask, and again after it was killed", async (t) => {
  const home = await freshHome(t);
  const client = lasting(home);
  const [first] = await Promise.all([
    client.listSessions(),
    client.health(),
    lasting(home).listSessions(),
  ]);
  assert.deepEqual(first.sessions, []);
  const killed = await killServer(home);
  assert.deepEqual((await client.listSessions()).sessions, []);
  assert.notEqual(await serverOf(home), killed);
});

test("[API-183] the parent of a server that was started is not the program that started it", async (t) => {
  const home = await freshHome(t);
  await lasting(home).health();
  const pid = await serverOf(home);
  const { stdout } = await promisify(execFile)("ps", [
    "-o",
    "ppid=,pgid=",
    "-p",
    String(pid),
  ]);
  const [parent, group] = stdout.trim().split(/\s+/).map(Number);
  assert.notEqual(parent, process.pid);
  const own = await promisify(execFile)("ps", [
    "-o",
    "pgid=",
    "-p",
    String(process.pid),
  ]);
  assert.notEqual(group, Number(own.stdout));
});

test("[API-184] [ACP-38] whoever only follows leaves a server stopped that somebody stopped, and finds the next one", async (t) => {
  const home = await freshHome(t);
  const client = lasting(home, {}, { keepsStopped: true });
  await client.health();
  const stopped = await serverOf(home);
  const news = new EventEmitter();
  const left = new AbortController();
  const following = client.followHome({
    signal: left.signal,
    retry: { first_ms: 10, most_ms: 50 },
    onOpen: () => news.emit("open"),
    onLost: (reason) =>
      reason instanceof ServerUnreachable && news.emit("unreachable"),
  });
  const ended = collect(following);
  await once(news, "open");
  process.kill(stopped, "SIGTERM");
  while ((await identify(stopped)) !== null);
  for (let times = 0; times < 3; times += 1) await once(news, "unreachable");
  await assert.rejects(serverOf(home), { code: "ENOENT" });
  const again = once(news, "open");
  await client.health();
  await again;
  await killServer(home);
  await once(news, "open");
  left.abort();
  await ended;
});

test("[API-161] what cannot start says why, and a server that somebody named is not started", async (t) => {
  const home = await freshHome(t);
  await assert.rejects(lasting(home, { REPRISE_PORT: "none" }).listSessions(), {
    code: "cannot_start",
    message: /none could be started: .*REPRISE_PORT is no port/s,
  });
  await assert.rejects(
    lasting(home, {
      REPRISE_URL: "http://127.0.0.1:1",
      REPRISE_TOKEN: "t",
    }).createSession({ agent: "demo" }),
    { name: "ServerUnreachable" },
  );
  await assert.rejects(serverOf(home), { code: "ENOENT" });
});
