import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "../../client/client.ts";
import type { AgentView } from "../../contract/agent/agent.ts";
import { SessionId } from "../../contract/base/id.ts";
import { patience } from "../../kit/fixtures/patience.ts";
import { within } from "../../kit/time/deadline.ts";
import { identify } from "../../kit/processes/process-identity.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { checkAgentctl } from "./agentctl.ts";
import { checkAgents } from "./agents.ts";
import { checkCheckpoints } from "./checkpoints.ts";
import { checkConfig } from "./config.ts";
import { checkDamage } from "./server.ts";
import { checkServer } from "./server.ts";

test("doctor works without a server, and finds a home that others can read", async (t) => {
  const healthy = await runCli(t, ["doctor"], { url: "http://127.0.0.1:9" });
  assert.equal(healthy.code, 0);
  assert.match(healthy.stdout, /^ok +node/m);
  assert.match(healthy.stdout, /^warn +server .*`reprise up`/m);
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  await writeFile(join(home, "token"), "x", { mode: 0o644 });
  const options = { url: "http://127.0.0.1:9", env: { REPRISE_HOME: home } };
  const open = await runCli(t, ["doctor", "--json"], options);
  const { findings } = JSON.parse(open.stdout);
  const token = findings.find(({ name }: { name: string }) => name === "token");
  assert.equal(token.verdict, "warn");
  assert.match(token.fix, /^chmod 600 /);
  const file = { url: options.url, env: { REPRISE_HOME: join(home, "token") } };
  const broken = await runCli(t, ["doctor"], file);
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /^fail +home/m);
});

test("[REC-51] doctor asks no server but the one of its home", async (t) => {
  let asked = 0;
  const stranger = createServer((_, response) => {
    asked += 1;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(stranger, "listening");
  t.after(() => stranger.close().closeAllConnections());
  const address = stranger.address();
  assert.ok(typeof address === "object" && address !== null);
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  const env = { REPRISE_HOME: home, REPRISE_TOKEN: "" };
  const look = () => runCli(t, ["doctor"], { env });
  assert.match(
    (await look()).stdout,
    /^warn +server +none runs for this home/m,
  );
  const self = await identify(process.pid);
  await writeFile(
    join(home, "server.json"),
    JSON.stringify({
      ...self,
      start_time: "1",
      url: `http://127.0.0.1:${address.port}`,
    }),
  );
  assert.match(
    (await look()).stdout,
    /^warn +server +none runs for this home/m,
  );
  assert.equal(asked, 0);
});

test("doctor reads config.json as the server will", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  const config = async (text: string) => {
    await writeFile(join(home, "config.json"), text);
    return checkConfig(home);
  };
  assert.match((await checkConfig(home)).words, /defaults hold/);
  assert.equal((await config('{"idle_minutes": 5}')).verdict, "ok");
  const broken = await config("{");
  assert.equal(broken.verdict, "fail");
  assert.match(broken.words, /config\.json is not JSON/);
  const wrong = await config('{"idle_minutes": "5", "colour": "teal"}');
  assert.equal(wrong.verdict, "fail");
  assert.match(wrong.words, /idle_minutes: .*; Unrecognized key: "colour"$/);
});

test("[API-73] doctor says when config.json is newer than the server", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  const config = join(home, "config.json");
  await writeFile(config, '{"trash_days": 1}');
  await writeFile(join(home, "server.json"), "{}");
  const at = (seconds: number) => [seconds, seconds] as const;
  await utimes(join(home, "server.json"), ...at(2000));
  await utimes(config, ...at(1000));
  assert.equal((await checkConfig(home)).verdict, "ok");
  await utimes(config, ...at(3000));
  const { verdict, words } = await checkConfig(home);
  assert.equal(verdict, "warn");
  assert.match(words, /changed after the server started/);
});

test("[LNK-96] doctor does not wait for a FIFO in the place of the damage file, and says that it cannot be read", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  const path = join(home, "blobs", "damage.json");
  await mkdir(join(home, "blobs"));
  execFileSync("mkfifo", [path]);
  const { verdict, words } = await within(
    "an answer",
    patience(10_000),
    checkCheckpoints(home),
  );
  assert.equal(verdict, "warn");
  assert.match(words, /damage\.json cannot be read/);
});

test("[CPT-24] doctor tells of damage that is known until everything was read and all was whole", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  await mkdir(join(home, "blobs"));
  const found = async (known: object | string) => {
    const text = typeof known === "string" ? known : JSON.stringify(known);
    await writeFile(join(home, "blobs", "damage.json"), text);
    return checkCheckpoints(home);
  };
  const nothing = { version: 1, places: [], lost_packs: [], verified: null };
  const pack = `${"a".repeat(32)}.pack`;
  const lost = { pack, found_at: "2026-03-02T00:00:00.000Z" };
  const place = { ...lost, block: 16, object: null };
  const verified = (at: string, broken_trees: number) => ({ at, broken_trees });
  assert.equal((await checkCheckpoints(home)).verdict, "ok");
  assert.equal((await found(nothing)).verdict, "ok");
  for (const unread of [
    { ...nothing, places: [place] },
    { ...nothing, lost_packs: [lost] },
    {
      ...nothing,
      places: [place],
      verified: verified("2026-03-01T00:00:00.000Z", 0),
    },
    {
      ...nothing,
      places: [place],
      verified: verified("2026-03-03T00:00:00.000Z", 1),
    },
    "{",
  ]) {
    const { verdict, fix } = await found(unread);
    assert.deepEqual([verdict, fix], ["warn", "reprise gc --verify"]);
  }
  const mended = verified("2026-03-03T00:00:00.000Z", 0);
  const { verdict, words } = await found({
    ...nothing,
    places: [place],
    verified: mended,
  });
  assert.equal(verdict, "ok");
  assert.match(words, /all could be restored .*2026-03-03/);
});

test("[REC-19] doctor does not take another process with its pid for agentctl", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  await mkdir(join(home, "agentctl"));
  const found = async (known: object) => {
    const file = join(home, "agentctl", "agentctl.json");
    await writeFile(
      file,
      JSON.stringify({ ...known, socket: "/socket", build: "0.1.0-x" }),
    );
    return checkAgentctl(home);
  };
  const stopped = await checkAgentctl(home);
  assert.equal(stopped.verdict, "ok", "[REC-52] none was left behind");
  assert.match(stopped.words, /^not running; the server starts it/);
  const self = await identify(process.pid);
  assert.ok(self);
  assert.match((await found(self)).words, /^running, pid /);
  for (const other of [{ start_time: "1" }, { boot_id: "another" }]) {
    const { verdict, words } = await found({ ...self, ...other });
    assert.equal(verdict, "warn");
    assert.match(words, /is gone; the server starts another/);
  }
});

test("[REC-20] doctor does not wait for ever for a server that is frozen", async (t) => {
  const frozen = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(frozen, "listening");
  t.after(() => frozen.close().closeAllConnections());
  const address = frozen.address();
  assert.ok(typeof address === "object" && address !== null);
  const client = connect({
    url: `http://127.0.0.1:${address.port}`,
    token: "secret",
  });
  const world = { version: "0.1.0", env: {}, cwd: "/" };
  const [finding] = await checkServer(client, world, 50);
  assert.equal(finding?.verdict, "fail");
  assert.equal(finding.fix, "reprise up --take-over");
});

test("[REC-19] an agentctl that does not answer the server is not called running", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  const answers: Record<string, [number, object]> = {
    "/health": [200, { status: "ok", version: "0.1.0" }],
    "/api/damage": [200, { database: [], sessions: [] }],
    "/api/webhooks": [200, { webhooks: [], next: null }],
    "/api/executors": [200, { executors: [], next: null }],
    "/api/agents": [
      503,
      {
        type: "about:blank",
        title: "agentctl cannot be reached",
        status: 503,
        code: "agentctl_unavailable",
        detail: "agentctl gives no sign of life",
      },
    ],
  };
  const server = createServer(({ url = "" }, response) => {
    const [status, body] = answers[url.split("?")[0] ?? ""] ?? [404, {}];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close().closeAllConnections());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const self = await identify(process.pid);
  await mkdir(join(home, "agentctl"), { mode: 0o700 });
  await writeFile(
    join(home, "agentctl", "agentctl.json"),
    JSON.stringify({ ...self, socket: "unused", build: "some" }),
    { mode: 0o600 },
  );
  const { code, stdout } = await runCli(t, ["doctor"], {
    url: `http://127.0.0.1:${address.port}`,
    env: { REPRISE_HOME: home },
  });
  assert.equal(code, 1);
  assert.match(stdout, /^fail +agentctl +agentctl gives no sign of life$/m);
  assert.doesNotMatch(stdout, /^ok +agentctl/m);
  assert.match(stdout, /^(ok|warn) +server/m);
});

test("[REC-26] doctor names the sessions that are damaged, and what is wrong with the database", () => {
  assert.deepEqual(
    checkDamage({ database: [], sessions: [] }).map(({ verdict }) => verdict),
    ["ok"],
  );
  const id = SessionId.parse(`ses_${"0".repeat(26)}`);
  const findings = checkDamage({
    database: ["The database is damaged."],
    sessions: [{ id, name: "mine", damaged_from: 12 }],
  });
  assert.deepEqual(
    findings.map(({ verdict }) => verdict),
    ["fail", "fail"],
  );
  assert.match(
    findings[1]?.words ?? "",
    /\(mine\) is damaged from event 12 on/,
  );
  assert.equal(findings[1]?.fix, `reprise session fork ${id}`);
});

test("doctor says which agent cannot work yet, and what changes that", () => {
  const agent = (id: string, changes: Partial<AgentView>): AgentView => ({
    id,
    name: id,
    driver: "acp",
    installed: true,
    version: null,
    command: [id],
    native_session_resume: true,
    history_context_injection: true,
    install: null,
    found: "path",
    login: "no",
    login_command: `${id} login`,
    ...changes,
  });
  const findings = checkAgents([
    agent("fine", { login: "yes" }),
    agent("hidden", { login: "unknown" }),
    agent("stranger", {}),
    agent("fetched", { found: "npx" }),
    agent("absent", { installed: false, found: null, install: "npm i absent" }),
    agent("mine", { installed: false, found: null }),
  ]);
  assert.deepEqual(
    findings.map(({ name, verdict, fix }) => [name, verdict, fix]),
    [
      ["agents", "ok", undefined],
      ["hidden", "ok", "hidden login"],
      ["stranger", "warn", "stranger login"],
      ["fetched", "ok", "fetched login"],
      ["absent", "ok", "npm i absent"],
      ["mine", "warn", undefined],
    ],
  );
  const [overview] = checkAgents([agent("none", { installed: false })]);
  assert.equal(overview?.verdict, "fail");
});
