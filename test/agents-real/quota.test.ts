/** The quota of a real agent is used up: another real agent goes on with the history and the workspace, until it is filled again. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { say, seenUntil } from "../e2e/house.ts";
import type { RealAgent } from "./packages.ts";
import { Scene } from "./scene.ts";
import type { Stage } from "./stage.ts";

/** Long enough for the other agent to have begun. */
const SECONDS = Math.ceil(patience(12_000) / 1000);

const isHandedTo =
  (agent: RealAgent) =>
  (event: Event): boolean =>
    event.type === "session.handed_off" &&
    event.data.definition.agent === agent;

/** Claude as those have it who log in with a plan: it tells them when their quota is filled again. */
const withPlan = ({ env }: Stage) => {
  const { ANTHROPIC_API_KEY: _key, ...rest } = env;
  return { env: { ...rest, CLAUDE_CODE_OAUTH_TOKEN: "scripted" } };
};

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

    // What it was meanwhile is read off the journal: on a slow machine the quota is filled when the other agent has hardly begun.
    const seen = await seenUntil(client, id, isHandedTo("claude"));
    const told = seen.flatMap((event) => {
      switch (event.type) {
        case "session.turn.interrupted":
          return [`interrupted: ${event.data.limit?.resets_at}`];
        case "session.handed_off":
          return [`${event.data.definition.agent}: ${event.data.quota?.why}`];
        case "session.resumed":
          return [event.data.resume.grade ?? "no grade"];
        case "session.turn.ended":
          return [`turn ${event.data.turn}: ${event.data.outcome}`];
        default:
          return [];
      }
    });
    const [resetsAt = "no time"] = told
      .filter((each) => each.startsWith("interrupted: "))
      .map((each) => each.slice("interrupted: ".length));
    assert.deepEqual(told, [
      "turn 1: completed",
      "turn 2: completed",
      `interrupted: ${resetsAt}`,
      "codex: used_up",
      "injected",
      "turn 4: completed",
      "claude: filled",
    ]);
    const returnedAt = seen.at(-1)?.at ?? "";
    assert.ok(Date.parse(returnedAt) >= Date.parse(resetsAt), resetsAt);
    const standIn = scene.askedFor(id).filter(({ api }) => api === "responses");
    assert.notEqual(standIn.length, 0, "codex was told the history");

    assert.ok((await scene.recall(id)).endsWith(scene.passkeyOf(id)));
    const back = await client.showSession(id);
    assert.deepEqual(
      [back.agent, back.quota.stands_in_for, back.resume?.grade, back.cwd],
      ["claude", null, "injected", house.workspace],
    );
    assert.deepEqual(back.unresolved_prompts, []);
    assert.equal((await readFile(file, "utf8")).trim(), "begun");
    assert.equal(scene.asked(cut), 1, "the same words are not sent again");
    assert.deepEqual(model.strange, []);
  },
);
