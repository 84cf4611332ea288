/** A quota is used up: another agent goes on, and the first gets its session back, whatever is killed meanwhile. */
import assert from "node:assert/strict";
import type { Event, EventOf } from "../../src/contract/event/event.ts";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { say, seenUntil, turnEnded } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

/** A quota that is used up for so long on a quiet machine: what a test does meanwhile takes longer on a slow one, half a minute at most. */
const usedUpFor = (seconds: number): string =>
  `quota ${Math.min(30, Math.ceil(patience(seconds * 1000) / 1000))}`;

const isHandedTo =
  (agent: string) =>
  (event: Event): boolean =>
    event.type === "session.handed_off" &&
    event.data.definition.agent === agent;

test("[SES-123] [SES-128] another agent goes on while the quota is used up, and the first one after that, though server and agentctl are killed", async (scene) => {
  const { house, server: first, workspace } = scene;
  const { id } = await first.client.createSession({
    agent: "demo",
    cwd: workspace,
    on_quota: "handoff:demo-inject",
    prompt: `remember colour=teal\nwrite NOTES.md begun\n${usedUpFor(8)}`,
  });
  await seenUntil(first.client, id, isHandedTo("demo-inject"));
  await first.kill();
  await endDaemon(house.home);

  const second = await scene.up();
  const seen = await seenUntil(second.client, id, turnEnded(2));
  const [cut] = seen.filter(({ type }) => type === "session.turn.interrupted");
  assert.ok(cut?.type === "session.turn.interrupted");
  const standIn = await second.client.showSession(id);
  assert.equal(standIn.agent, "demo-inject");
  assert.equal(standIn.resume?.grade, "injected");
  assert.deepEqual(standIn.unresolved_prompts, []);
  assert.equal(standIn.quota.stands_in_for, "demo");
  assert.equal(standIn.quota.used_up[0]?.agent, "demo");
  await second.kill();
  await endDaemon(house.home);

  const { client } = await scene.up();
  await seenUntil(client, id, isHandedTo("demo"));
  assert.equal((await say(client, id, "recall colour")).trim(), "colour=teal");
  const all = await seenUntil(client, id, turnEnded(3));
  const back = await client.showSession(id);
  assert.deepEqual([back.agent, back.resume?.grade], ["demo", "injected"]);
  assert.equal(back.quota.stands_in_for, null);
  const handedOff = all
    .filter(
      (event): event is EventOf<"session.handed_off"> =>
        event.type === "session.handed_off",
    )
    .map(({ data }) => data.quota?.why);
  assert.deepEqual(handedOff, ["used_up", "filled"]);
  const continued = all.filter(
    ({ type }) => type === "session.prompt.resolved",
  );
  assert.equal(continued.length, 1, "the prompt went on once");
});

test("[SES-132] an agent that nobody knows cannot be named", async ({
  client,
  workspace,
}) => {
  await assert.rejects(
    client.createSession({ cwd: workspace, on_quota: "handoff:demo-injekt" }),
    { code: "unknown_agent", message: /Did you mean demo-inject\?/ },
  );
  await assert.rejects(
    client.createSession({ cwd: workspace, on_quota: "handoff:" }),
    { code: "invalid_request" },
  );
});

test("[SES-121] what is waited for is said in words", async ({
  house,
  client,
  workspace,
}) => {
  const { id } = await client.createSession({
    cwd: workspace,
    prompt: "quota 3600",
  });
  await seenUntil(
    client,
    id,
    ({ type }) => type === "session.turn.interrupted",
  );
  for (const command of ["show", "status"]) {
    const { out, code } = await house.cli(["session", command, id]);
    assert.equal(code, 0);
    assert.match(
      out,
      /quota +demo's is used up until (\d{4}-\d\d-\d\d )?\d\d:\d\d/,
    );
  }
});

const following = (workspace: string, on_quota: string, text: string) => [
  "session",
  "start",
  "--cwd",
  workspace,
  "--on-quota",
  on_quota,
  "--follow",
  text,
];

test("[SES-141] `--follow` goes on with a turn that a quota cut off, and says when", async ({
  house,
  workspace,
}) => {
  const { out, code } = await house.cli(
    following(workspace, "continue", usedUpFor(2)),
  );
  assert.equal(code, 0, out);
  assert.match(out, /was interrupted/);
  assert.match(
    out,
    /demo's quota is used up; the turn goes on by itself at .*\d\d:\d\d/,
  );
  assert.doesNotMatch(out, /session resolve/);
  assert.match(out, /turn 2 completed/);
});

test("[SES-141] `--follow` goes on with the agent that stands in, and ends with its answer", async ({
  house,
  workspace,
}) => {
  const { out, code } = await house.cli(
    following(
      workspace,
      "handoff:demo-inject",
      "remember colour=teal\nquota 3600",
    ),
  );
  assert.equal(code, 0, out);
  assert.match(out, /demo's quota is used up.*demo-inject goes on/);
  assert.doesNotMatch(out, /session resolve/);
  assert.match(out, /turn 2 completed/);
});

test("[SES-141] with `wait`, `--follow` says until when the quota is used up, and how to decide", async ({
  house,
  workspace,
}) => {
  const { out, code } = await house.cli(
    following(workspace, "wait", "quota 3600"),
  );
  assert.equal(code, 1, out);
  assert.match(out, /the quota is used up until .*\d\d:\d\d/);
  assert.match(out, /session resolve/);
});
