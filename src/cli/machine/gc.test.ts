import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type {
  Collected,
  DiskUse,
  Verification,
} from "../../contract/api/checkpoint-route.ts";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { SESSION } from "../fixtures/sample.ts";
import { main } from "../main.ts";

const collected = (more: Partial<Collected>): Collected => ({
  dry_run: false,
  ended: [],
  deleted: [],
  purged: [],
  freed_bytes: 0,
  kept_bytes: 4096,
  ...more,
});

const verification = (more: Partial<Verification> = {}): Verification => ({
  packs: 2,
  bytes: 4096,
  objects: 9,
  damaged: 0,
  checkpoints: 3,
  broken: [],
  ...more,
});

const broken = {
  session_id: SESSION,
  turn: 3,
  checkpoint: checkpointId(41),
  kind: "turn",
  of: "workspace",
} as const;

const gc = async (
  t: TestContext,
  answers: (Collected | RepriseError)[],
  ...argv: string[]
) => gcBeside(t, { sessions: [], total_bytes: 0 }, answers, ...argv);

const gcBeside = async (
  t: TestContext,
  use: DiskUse,
  answers: (Collected | RepriseError)[],
  ...argv: string[]
) => {
  const { url, asked } = await fakeServer(t, {
    collectGarbage: () => {
      const answer = answers.shift();
      if (answer instanceof RepriseError) throw answer;
      return answer ?? assert.fail("asked too often");
    },
    showDiskUse: () => use,
  });
  const env = { REPRISE_URL: url, REPRISE_TOKEN: "secret" };
  const { world, out, err } = memoryWorld({ env, cwd: "/somewhere" });
  const code = await main(["gc", ...argv], world);
  return { code, stdout: out(), stderr: err(), asked };
};

test("[CPT-23] nothing is damaged: said, and that is a success", async (t) => {
  const answer = collected({ verification: verification() });
  const { code, stdout, asked } = await gc(t, [answer], "--verify");
  assert.deepEqual(asked[0]?.body, { dry_run: false, verify: true });
  assert.equal(code, 0);
  assert.equal(
    stdout,
    "Read 2 packs (4.0 KiB) with 9 objects: nothing is damaged, and all of 3 checkpoints can be restored.\n0 B freed, 4.0 KiB kept.\n",
  );
});

test("[CPT-23] damage is told by session and turn, and is a failure", async (t) => {
  const answer = collected({
    verification: verification({
      damaged: 2,
      broken: [
        { ...broken, lost: 12, paths: ["src/a\u001b[2J.ts", "b"] },
        { ...broken, of: "agent_state", lost: 1, paths: ["."] },
      ],
    }),
  });
  const { code, stdout } = await gc(t, [answer], "--verify");
  assert.equal(code, 1);
  assert.match(stdout, /^Read 2 packs \(4\.0 KiB\) with 11 objects: 2 of them/);
  assert.match(
    stdout,
    new RegExp(`${SESSION} {2}turn 3 \\(chk_41\\): 12 paths lost: src/a`),
  );
  assert.match(stdout, /b, …$/m);
  assert.match(stdout, /turn 3 \(chk_41, the agent's own files\): 1 path lost/);
  assert.match(stdout, /stored again with its next checkpoint/);
  assert.ok(!stdout.includes("\u001b[2J"), "names are no commands");
  const json = await gc(t, [answer], "--verify", "--json");
  assert.equal(json.code, 1);
  assert.deepEqual(JSON.parse(json.stdout), answer);
  const dry = { ...answer, dry_run: true };
  const trial = await gc(t, [dry], "--verify", "--dry-run");
  assert.deepEqual(trial.asked[0]?.body, { dry_run: true, verify: true });
  assert.doesNotMatch(trial.stdout, /stored again/);
});

test("[CPT-24] checkpoints that keep everything from being freed are named, and that is a failure", async (t) => {
  const answer = collected({ blocked_by: [broken] });
  const { code, stdout } = await gc(t, [answer]);
  assert.equal(code, 1);
  assert.match(stdout, /^Nothing can be freed: .* Delete their sessions/);
  assert.match(stdout, new RegExp(`${SESSION} {2}turn 3 \\(chk_41\\): cannot`));
});

test("[CPT-57] [API-157] a place where nothing was done is named with the reason, and that is a failure", async (t) => {
  const here = { place: { kind: "standalone", id: "local" } };
  const problem = {
    code: "agentctl_unavailable",
    detail: "It does not answer.",
  } as const;
  const there = { place: { kind: "remote", id: "f\u001b[2Jar" }, problem };
  const part = { freed_bytes: 0, kept_bytes: 4096 };
  const all = collected({ places: [{ ...here, ...part }] });
  const whole = await gc(t, [all]);
  assert.equal(whole.code, 0);
  assert.equal(whole.stdout, "0 B freed, 4.0 KiB kept.\n");
  const answer = collected({ places: [{ ...here, ...part }, there] });
  const { code, stdout } = await gc(t, [answer]);
  assert.equal(code, 1);
  assert.match(stdout, /^0 B freed, 4\.0 KiB kept\.\nNothing was freed at /);
  assert.match(stdout, /remote\/f.*ar: It does not answer\.$/m);
  assert.ok(!stdout.includes("\u001b[2J"), "names are no commands");
  const json = await gc(t, [answer], "--json");
  assert.equal(json.code, 1);
  assert.deepEqual(JSON.parse(json.stdout), answer);
  const read = collected({ verification: verification({ places: [there] }) });
  const reading = await gc(t, [read], "--verify");
  assert.equal(reading.code, 1);
  assert.match(reading.stdout, /^Nothing was read at remote/m);
});

test("[CPT-61] checkpoints of an unknown place are named", async (t) => {
  const use = {
    sessions: [],
    total_bytes: 0,
    unplaced: [{ session_id: SESSION, checkpoints: 2 }],
  };
  const { code, stdout } = await gcBeside(t, use, [collected({})]);
  assert.equal(code, 0);
  assert.match(stdout, /not known at which place/);
  assert.match(stdout, new RegExp(`${SESSION}  2 checkpoints\n`));
});

test("[REC-25] damaged sessions that keep everything from being freed are named, and that is a failure", async (t) => {
  const answer = collected({ damaged_sessions: [SESSION] });
  const { code, stdout } = await gc(t, [answer]);
  assert.equal(code, 1);
  assert.match(stdout, /^Nothing can be freed: the journals of these sessions/);
  assert.match(stdout, new RegExp(`^  ${SESSION}$`, "m"));
});

test("[API-96] a reading that takes longer than a request is asked for again; anything else that takes long is not", async (t) => {
  const late = () => refusal("timed_out", "It goes on.");
  const answers = [late(), late(), collected({ verification: verification() })];
  const { code, asked } = await gc(t, answers, "--verify");
  assert.equal(code, 0);
  const times = asked.filter(({ name }) => name === "collectGarbage").length;
  assert.equal(times, 3);
  const plain = await gc(t, [late()]);
  assert.equal(plain.code, 1);
});
