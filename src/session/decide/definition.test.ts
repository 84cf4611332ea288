import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import type { ContentBlock } from "../../contract/base/content.ts";
import type { Event } from "../../contract/event/event.ts";
import { intend } from "../intend.ts";
import { abilities, prompt, Story } from "../testing.ts";

const definition: AgentDefinition = {
  agent: "demo",
  home: "user",
  env_names: [],
  instructions: "Answer in Latin.",
  disallowed_tools: ["Bash"],
};

const image: ContentBlock = {
  type: "image",
  mime_type: "image/png",
  data: "AAAA",
};

const isBriefed = (story: Story): boolean | undefined =>
  intend(story.state).find((intent) => intent.kind === "deliver")?.brief;

const noticesOf = (events: readonly Event[]): string[] =>
  events.flatMap((event) =>
    event.type === "session.notice" ? [event.data.code] : [],
  );

test("[SES-28] instructions go before the first prompt of an agent's new session, and not before later ones", () => {
  const story = new Story({ definition }).queue(1).up();
  assert.equal(isBriefed(story), true);
  story.deliver(1).endTurn(1).queue(2);
  assert.equal(isBriefed(story), false);
});

test("[SES-28] an agent that takes them into its system prompt is not told again", () => {
  const story = new Story({ definition }).queue(1).begin();
  story.ready({ abilities: abilities({ system_prompt: true }) });
  assert.equal(isBriefed(story), false);
});

test("[SES-28] a session that is resumed natively has heard them; one that is made anew has not", () => {
  const story = new Story({ definition }).queue(1).up().deliver(1).endTurn(1);
  const paused = (): Story =>
    story.given({ type: "session.pause", reason: "paused" }).die();
  paused().queue(2).begin().ready({ opened: "resumed", verified: true });
  assert.equal(isBriefed(story), false);
  story.deliver(2).endTurn(2);
  paused().queue(3).begin().ready({ opened: "new" });
  assert.equal(isBriefed(story), true);
});

test("[SES-28] instructions that were due when the agent died are still due when its session comes back", () => {
  const story = new Story({ definition }).up();
  story.die().queue(1).begin();
  story.ready({ opened: "resumed", verified: true });
  assert.equal(isBriefed(story), true);
});

test("[SES-29] which instruction files the workspace holds is recorded at the start; a change is told", () => {
  const file = (name: string, sha256: string) => ({ name, sha256 });
  const story = new Story();
  story.begin(1, { instruction_files: [file("CLAUDE.md", "1")] });
  assert.deepEqual(story.state.agent.definition.instruction_files, [
    file("CLAUDE.md", "1"),
  ]);
  assert.deepEqual(noticesOf(story.events), []);

  story.die();
  story.given({ type: "session.resume", trigger: "request" });
  const changed = [file("CLAUDE.md", "2"), file("AGENTS.md", "3")];
  story.begin(2, { instruction_files: changed });
  assert.deepEqual(story.state.agent.definition.instruction_files, changed);
  const told = story.last("session.notice");
  assert.equal(told.code, "instructions_changed");
  assert.match(told.text, /CLAUDE\.md has changed, AGENTS\.md is new/);
});

test("[SES-30] an image is refused before it is queued when the agent said that it takes none", () => {
  const story = new Story().begin();
  story.ready({ abilities: abilities({ images: false, files: true }) });
  story
    .when({
      type: "prompt.queue",
      prompt_id: prompt(1),
      content: [{ type: "text", text: "look" }, image],
    })
    .thenRefused("content_not_supported");
});

test("[SES-30] an image that was queued before the agent could say is told about in words, visibly", () => {
  const story = new Story().given({
    type: "prompt.queue",
    prompt_id: prompt(1),
    content: [{ type: "text", text: "look" }, image],
  });
  story.begin().ready({ abilities: abilities({ files: false }) });
  const deliver = intend(story.state).find(({ kind }) => kind === "deliver");
  assert.ok(deliver?.kind === "deliver");
  assert.deepEqual(
    deliver.content.map(({ type }) => type),
    ["text", "text"],
  );
  assert.deepEqual(noticesOf(story.events), ["images_left_out"]);
});

test("[SES-31] tokens of an agent that counts all its turns are told turn by turn", () => {
  const story = new Story().up();
  const turn = (n: number, total: number): void => {
    story.queue(n).deliver(n);
    story.report({
      kind: "turn_ended",
      range: story.words(1),
      prompt_id: prompt(n),
      stop_reason: "end_turn",
      usage: { input_tokens: total, output_tokens: 0, total_tokens: total },
      usage_of: "execution",
      error: null,
    });
  };
  turn(1, 10);
  turn(2, 25);
  assert.equal(story.state.turns.usage?.total_tokens, 25);
  const spent = story.events.flatMap((event) =>
    event.type === "session.turn.ended" ? [event.data.usage?.total_tokens] : [],
  );
  assert.deepEqual(spent, [10, 15]);
});
