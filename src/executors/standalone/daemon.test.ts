/** Small real programs in the daemon's place: each listens, dies or gives way as a daemon may. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { patience } from "../../kit/fixtures/patience.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { DEFAULT_LOG_LIMITS } from "../../kit/files/log-file.ts";
import { connected, reachDaemon } from "./daemon.ts";
import { spawnDaemon, type SpawnedDaemon } from "./spawn-daemon.ts";

const never = new AbortController().signal;

const listens = `
import { createServer } from "node:net";
import { writeFileSync } from "node:fs";
const [, home, , path] = process.argv.slice(2);
writeFileSync(home + "/seen.json", JSON.stringify({ env: process.env, cwd: process.cwd(), pid: process.pid, argv: process.argv.slice(2) }));
createServer((socket) => socket.once("data", () => process.exit(0))).listen(path);
`;

test("a daemon is started when nobody listens, apart from us and with few variables", async (t) => {
  const stage = await prepare(t, listens);
  const socket = await reached(
    reachDaemon(stage.path, stage.start, patience(10_000), never),
  );
  const seen = JSON.parse(
    await readFile(join(stage.home, "seen.json"), "utf8"),
  );
  assert.deepEqual(seen.argv, [
    "--home",
    stage.home,
    "--socket",
    stage.path,
    "--build",
    "1.2.3-abcdef01",
    "--log-mb",
    "10",
    "--log-files",
    "5",
  ]);
  assert.equal(seen.cwd, stage.home);
  assert.deepEqual(seen.env, { PATH: "/usr/bin:/bin" });
  if (process.platform === "linux")
    assert.equal(await processSession(seen.pid), seen.pid);
  assert.equal(
    (await stat(join(stage.home, "agentctl.out"))).mode & 0o777,
    0o600,
  );
  socket.end("bye");
  await stage.allEnded();
});

test("a daemon that listens is used, none is started", async (t) => {
  const stage = await prepare(t, listens);
  const server = createServer().listen(stage.path);
  await once(server, "listening");
  const socket = await reached(
    reachDaemon(stage.path, stage.start, patience(10_000), never),
  );
  assert.equal(stage.started.length, 0);
  socket.destroy();
  server.close();
});

test("the socket file of a dead daemon counts as nobody", async (t) => {
  const stage = await prepare(t, "process.exit(0)");
  assert.equal(await connected(stage.path), null);
  await writeFile(stage.path, "");
  assert.equal(await connected(stage.path), null);
});

test("[REC-7] a daemon that dies before it accepts a connection counts as nobody", async (t) => {
  const stage = await prepare(
    t,
    `import { createServer } from "node:net";
import { writeFileSync } from "node:fs";
createServer().listen(process.argv[5], () => {
  writeFileSync("listens", "");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`,
  );
  const daemon = await stage.start();
  while (!existsSync(join(stage.home, "listens"))) await nextTurn();
  const reaching = connected(stage.path);
  stage.killAll();
  // Our own loop must not turn before the socket is gone: another process waits for that.
  const untilRefused = `const ask = () => require("node:net").connect(process.argv[1])
    .on("connect", function () { this.destroy(); ask(); })
    .on("error", ({ code }) => code === "ECONNREFUSED" || ask()); ask();`;
  spawnSync(process.execPath, ["-e", untilRefused, stage.path]);
  assert.equal(await reaching, null);
  await daemon.ended;
});

test("a daemon that dies is reported with what it said, not with what others said before", async (t) => {
  const stage = await prepare(
    t,
    `console.error("no such luck"); process.exit(9)`,
  );
  await writeFile(join(stage.home, "agentctl.out"), "of an earlier one\n");
  await assert.rejects(
    reachDaemon(stage.path, stage.start, patience(10_000), never),
    (error) =>
      error instanceof RepriseError &&
      error.code === "agentctl_unavailable" &&
      error.message === "agentctl exited with code 9. It said:\nno such luck",
  );
});

test("[REC-7] a daemon that is killed before it listens has a successor", async (t) => {
  const stage = await prepare(
    t,
    `import { existsSync } from "node:fs";
if (!existsSync("killed")) {
  writeFileSync("killed", "");
  process.kill(process.pid, "SIGKILL");
}
${listens}`,
  );
  const socket = await reached(
    reachDaemon(stage.path, stage.start, patience(10_000), never),
  );
  assert.equal(stage.started.length, 2);
  socket.end("bye");
  await stage.allEnded();
});

test("a daemon that is killed every time is reported", async (t) => {
  const stage = await prepare(t, `process.kill(process.pid, "SIGKILL")`);
  await assert.rejects(
    reachDaemon(stage.path, stage.start, patience(10_000), never),
    (error) =>
      error instanceof RepriseError &&
      error.message === "agentctl was killed by SIGKILL",
  );
  assert.equal(stage.started.length, 4);
});

test("a daemon that cannot be run is reported", async (t) => {
  const stage = await prepare(t, listens, "/nowhere/node");
  await assert.rejects(
    reachDaemon(stage.path, stage.start, patience(10_000), never),
    (error) =>
      error instanceof RepriseError &&
      error.code === "agentctl_unavailable" &&
      error.message.includes("cannot be run"),
  );
});

test("a daemon that never listens is given up after the deadline", async (t) => {
  const stage = await prepare(t, `setInterval(() => {}, 1000)`);
  await assert.rejects(
    reachDaemon(stage.path, stage.start, 100, never),
    (error) =>
      error instanceof RepriseError && error.code === "agentctl_unavailable",
  );
  stage.killAll();
  await stage.allEnded();
});

test("whoever closes need not wait for a daemon that never listens", async (t) => {
  const stage = await prepare(t, `setInterval(() => {}, 1000)`);
  const closing = new AbortController();
  const reaching = reachDaemon(
    stage.path,
    async () => {
      const daemon = await stage.start();
      setImmediate(() => closing.abort());
      return daemon;
    },
    60_000,
    closing.signal,
  );
  await assert.rejects(reaching, { name: "AbortError" });
  stage.killAll();
  await stage.allEnded();
});

test("[P4] where another holds the home, we wait for it instead of failing", async (t) => {
  const stage = await prepare(t, `process.exit(3)`);
  const server = createServer();
  const reaching = reachDaemon(
    stage.path,
    async () => {
      const daemon = await stage.start();
      // The holder begins to listen only after ours has given way twice.
      if (stage.started.length === 2) server.listen(stage.path);
      return daemon;
    },
    patience(10_000),
    never,
  );
  (await reached(reaching)).destroy();
  server.close();
});

test("[REC-12] one that holds the home and never listens is told from one that is not there", async (t) => {
  const stage = await prepare(t, `process.exit(3)`);
  assert.equal(await reachDaemon(stage.path, stage.start, 2000, never), "held");
});

const reached = async (
  reaching: ReturnType<typeof reachDaemon>,
): Promise<Socket> => {
  const socket = await reaching;
  assert.ok(socket !== "held");
  return socket;
};

const prepare = async (
  t: TestContext,
  program: string,
  node = process.execPath,
) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-daemon-"));
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 10 }));
  const agentctl = join(home, "agentctl.mjs");
  const path = join(home, "s");
  await writeFile(agentctl, program);
  const started: SpawnedDaemon[] = [];
  const start = async (): Promise<SpawnedDaemon> => {
    const daemon = await spawnDaemon(
      { node, agentctl, build: "1.2.3-abcdef01" },
      {
        home,
        directory: home,
        socketPath: path,
        env: { PATH: "/usr/bin:/bin", REPRISE_TOKEN: "secret" },
        logLimits: DEFAULT_LOG_LIMITS,
      },
    );
    started.push(daemon);
    return daemon;
  };
  return {
    home,
    path,
    start,
    started,
    killAll: () => {
      for (const { pid } of started) if (pid) process.kill(pid, "SIGKILL");
    },
    allEnded: () => Promise.all(started.map((daemon) => daemon.ended)),
  };
};

const processSession = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  const [, , , session] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return Number(session);
};
