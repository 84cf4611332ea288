import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../state/command.ts";
import { intend } from "../intend.ts";
import { abilities, prompt, readyItem, Story, tree } from "../testing.ts";

const kinds = (story: Story): string[] =>
  intend(story.state).map(({ kind }) => kind);

const begun = (): Story => new Story({ checkpoints: true }).up().captured(1);

/** One turn, its checkpoint not yet taken. */
const turn = (story: Story, n: number): Story =>
  story.queue(n).deliver(n).endTurn(n);

const withMemory = { agent_state: tree(99) };

test("[CPT-12] another agent goes on, without the memory of the first", () => {
  const story = turn(begun(), 1).captured(2, withMemory);
  story
    .when({
      type: "session.handoff",
      definition: { agent: "other", home: "user", env_names: [] },
      abilities: abilities({ resume: false, load: false }),
    })
    .thenEvents(
      { type: "session.handed_off", data: { from: "demo" } },
      { type: "session.execution.stopping", data: { reason: "handoff" } },
    );
  assert.deepEqual(kinds(story), ["stop"]);
  story.die();
  assert.equal(story.state.agent.token, null);
  story.queue(2).begin();
  story.report(
    readyItem(
      { from: 0, to: 4 },
      { opened: "new", abilities: abilities({ resume: false, load: false }) },
    ),
  );
  assert.equal(story.state.agent.definition.agent, "other");
  assert.equal(story.last("session.resumed").resume.grade, "injected");
});

test("[CPT-12] what the last turn left is captured before another agent goes on, and names the agent", () => {
  const story = turn(begun(), 1);
  const handoff: Command = {
    type: "session.handoff",
    definition: { agent: "other", home: "user", env_names: [] },
    abilities: abilities(),
  };
  story.when(handoff).thenRefused("wrong_state", /being captured/);
  story.captured(2, withMemory).given(handoff);
  assert.equal(story.last("session.checkpoint.saved").checkpoint.agent, "demo");
});

test("[CPT-12] a handoff to the agent that has it already is refused: it would only forget", () => {
  const story = turn(begun(), 1).captured(2, withMemory);
  const { token, definition } = story.state.agent;
  story
    .when({ type: "session.handoff", definition, abilities: abilities() })
    .thenRefused("wrong_state", /already/);
  assert.equal(story.state.agent.token, token);
});

test("[CPT-14] nothing of a deleted session starts, and it comes back as it was", () => {
  const story = turn(begun(), 1).captured(2);
  story.given({ type: "session.delete" });
  story.die();
  assert.notEqual(story.state.deleted_at, null);
  story
    .when({
      type: "prompt.queue",
      prompt_id: prompt(9),
      content: [{ type: "text", text: "more" }],
    })
    .thenRefused("session_deleted");
  assert.ok(!kinds(story).includes("begin"));
  story.given({ type: "session.undelete" }).queue(2);
  assert.equal(story.name, "STARTING");
});

test("[CPT-14] [REC-5] prompts that waited in the trash bring the agent back", () => {
  const story = turn(begun(), 1).queue(2);
  story.given({ type: "session.delete" }).die().captured(2);
  assert.deepEqual(kinds(story), [], "nothing of it starts in there");
  story.given({ type: "session.undelete" });
  assert.deepEqual(kinds(story), ["begin"]);
  story.begin().ready({ opened: "resumed", verified: true });
  assert.equal(story.last("session.turn.started").prompt_id, prompt(2));
});
