import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { identify } from "../kit/processes/process-identity.ts";
import { fakeServer, refusal } from "./fixtures/fake-server.ts";
import { runCli } from "./fixtures/run-cli.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { SESSION, sampleSession } from "./fixtures/sample.ts";

test("refusals have their exit codes; with --json the problem is on standard error", async (t) => {
  const server = await fakeServer(t, {
    sessionStatus: () => {
      throw refusal("session_not_found", "There is none.");
    },
    showSession: () => sampleSession({ state: "COMPLETED" }),
    pauseSession: () => {
      throw new RepriseError("session_ended", "It has ended.", {
        state: "COMPLETED",
      });
    },
    cancelTurn: () => {
      throw refusal("wrong_state");
    },
    listSessions: () => {
      throw refusal("unauthorized");
    },
  });
  const options = { url: server.url };
  const missing = await runCli(
    t,
    ["session", "status", SESSION, "--json"],
    options,
  );
  assert.equal(missing.code, 3);
  assert.equal(missing.stdout, "");
  assert.equal(JSON.parse(missing.stderr).code, "session_not_found");
  assert.equal(JSON.parse(missing.stderr).detail, "There is none.");
  const ended = await runCli(t, ["session", "pause", SESSION], options);
  assert.deepEqual(
    [ended.code, ended.stderr],
    [
      4,
      `reprise: It has ended.\n\`reprise session fork ${SESSION}\` goes on from it.\n`,
    ],
  );
  assert.equal(
    (await runCli(t, ["session", "cancel", SESSION], options)).code,
    4,
  );
  const unauthorized = await runCli(t, ["session", "list"], options);
  assert.equal(unauthorized.code, 1);
  assert.match(unauthorized.stderr, /REPRISE_TOKEN/);
});

test("without a server: exit 5, and how to start one", async (t) => {
  const server = await fakeServer(t, {});
  server.close();
  const { code, stdout, stderr } = await runCli(t, ["session", "list"], {
    url: server.url,
  });
  assert.equal(code, 5);
  assert.equal(stdout, "");
  assert.match(stderr, /start it with `reprise up`/i);
  const json = await runCli(t, ["session", "list", "--json"], {
    url: server.url,
  });
  assert.equal(json.code, 5);
  const document = JSON.parse(json.stderr);
  assert.equal(document.code, "server_unreachable");
  assert.equal(document.status, 503);
  assert.match(document.advice, /reprise up/);
});

test("what is wrong with a request is said once", async (t) => {
  const issues = [
    { path: "name", message: "is too long" },
    { path: "", message: "has another fault" },
  ];
  const server = await fakeServer(t, {
    createSession: () => {
      throw new RepriseError(
        "invalid_request",
        "The body (name): is too long.",
        { issues },
      );
    },
  });
  const { code, stderr } = await runCli(t, ["session", "start"], {
    url: server.url,
  });
  assert.equal(code, 2);
  assert.equal(
    stderr,
    "reprise: The body (name): is too long.\n  as a whole: has another fault\n",
  );
});

test("the server of the home is found, with its token", async (t) => {
  const server = await fakeServer(t, {
    listTasks: () => ({ tasks: [], next: null }),
  });
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  await writeFile(join(home, "token"), "from-home\n");
  await writeFile(
    join(home, "server.json"),
    JSON.stringify({ url: server.url, ...(await identify(process.pid)) }),
  );
  const env = { REPRISE_HOME: home, REPRISE_TOKEN: "" };
  assert.equal((await runCli(t, ["task", "list"], { env })).code, 0);
  assert.equal(server.asked[0]?.token, "from-home");
});
