/** The quota of a real agent is used up: another real agent goes on with the history and the workspace, until it is filled again. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { say, seenUntil, turnEnded } from "../e2e/house.ts";
import type { RealAgent } from "./packages.ts";
import { Scene } from "./scene.ts";
import type { Stage } from "./stage.ts";

/** Long enough for the other agent to have begun. */
const SECONDS = Math.ceil(patience(10_000) / 1000);

const isHandedTo =
  (agent: RealAgent) =>
  (event: Event): boolean =>
    event.type === "session.handed_off" &&
    event.data.definition.agent === agent;

/** Claude as those have it who log in with a plan: it tells them when their quota is filled again. */
const withPlan = ({ env: { ANTHROPIC_API_KEY: _, ...env } }: Stage) => ({
  env: { ...env, CLAUDE_CODE_OAUTH_TOKEN: "scripted" },
});

test(
  "[SES-123] [SES-128] the quota of claude is used up: codex goes on with history and workspace, and claude when it is filled again",
  { timeout: patience(240_000) },
  async () => {
    await using scene = await Scene.make("claude", withPlan, ["codex"]);
    const { client, house, model } = scene;
    const id = await scene.begin({
      on_quota: "handoff:codex",
      permissions: "allow-all",
    });
    const file = join(house.workspace, "begun.txt");
    await say(client, id, `write ${file} begun`);
    const cut = `quota ${SECONDS}`;
    await client.queuePrompt(id, { text: cut });

    const seen = await seenUntil(client, id, turnEnded(4));
    const [interrupted] = seen.flatMap((event) =>
      event.type === "session.turn.interrupted" ? [event.data.limit] : [],
    );
    const resetsAt = interrupted?.resets_at ?? assert.fail("no time is told");
    const taken = await client.showSession(id);
    assert.deepEqual(
      [taken.agent, taken.quota.stands_in_for, taken.resume?.grade, taken.cwd],
      ["codex", "claude", "injected", house.workspace],
    );
    assert.deepEqual(taken.unresolved_prompts, []);
    assert.ok(
      scene.askedFor(id).some(({ api }) => api === "responses"),
      "the history has reached the other model",
    );

    const returned = (
      await seenUntil(client, id, isHandedTo("claude"), taken.last_seq)
    ).at(-1);
    assert.ok(Date.parse(returned?.at ?? "") >= Date.parse(resetsAt));
    assert.ok((await scene.recall(id)).endsWith(scene.passkeyOf(id)));
    const back = await client.showSession(id);
    assert.deepEqual(
      [back.agent, back.quota.stands_in_for, back.resume?.grade],
      ["claude", null, "injected"],
    );
    assert.equal((await readFile(file, "utf8")).trim(), "begun");
    assert.equal(scene.asked(cut), 1, "the same words are not sent again");
    assert.deepEqual(model.strange, []);
  },
);
