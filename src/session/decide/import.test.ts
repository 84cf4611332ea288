import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import type { Event } from "../../contract/event/event.ts";
import { permissionId } from "../../contract/base/id.ts";
import { LOCAL } from "../../contract/base/place.ts";
import { checkInvariants } from "../invariants.ts";
import { changed } from "../fixtures/changed-state.ts";
import type { State } from "../state/state.ts";
import { askItem, at, prompt, Story, tree } from "../testing.ts";
import { decideStart } from "../resume/resume.ts";
import { decideImport } from "./import.ts";

const imported = (story: Story) => {
  const decision = decideImport(
    { events: story.events, task_id: null, place: LOCAL, cwd: "/elsewhere" },
    at(59),
  );
  checkInvariants(decision.events);
  return decision;
};
const news = (story: Story): string[] =>
  imported(story)
    .events.slice(story.events.length)
    .map(({ type }) => type);

const rested = (): Story => {
  const story = new Story({ checkpoints: true }).captured(1).up();
  story.queue(1).deliver(1).endTurn(1);
  story.captured(2, { agent_state: tree(9) });
  return story
    .given({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" })
    .captured(3, { agent_state: tree(10) });
};

test("[CPT-13] a session at rest comes as it was, with another path and its agent's memory", () => {
  const story = rested();
  assert.deepEqual(news(story), ["session.imported"]);
  const { after } = imported(story);
  assert.equal(after.lifecycle.name, "PAUSED");
  assert.equal(after.workspace.cwd, "/elsewhere");
  assert.deepEqual(after.agent.memory, {
    tree: tree(10),
    token: "native-1",
    cwd: "/work",
    renamed: false,
  });
});

test("[CPT-13] a journal whose turns lead nowhere is refused: nobody shall walk them", () => {
  const { events } = rested();
  const [last] = events.slice(-1);
  assert.ok(last !== undefined);
  const rewound = (turn: number, from_turn: number): Event => ({
    ...last,
    seq: last.seq + 1,
    type: "session.rewound",
    data: {
      turn,
      from_turn,
      checkpoint_id: checkpointId(3),
      memory: null,
      changes: 0,
    },
  });
  const started: Event = {
    ...last,
    seq: last.seq + 1,
    type: "session.turn.started",
    data: { turn: 4_000_000_000, prompt_id: prompt(2), epoch: 1 },
  };
  for (const more of [rewound(5, 1), rewound(5, 5), started])
    assert.throws(
      () =>
        decideImport(
          {
            events: [...events, more],
            task_id: null,
            place: LOCAL,
            cwd: "/elsewhere",
          },
          at(59),
        ),
      /more turns|not said yet/,
    );
});

test("[CPT-13] a journal that tells of a prompt nobody gave is refused", () => {
  const { events } = rested();
  const [last] = events.slice(-1);
  assert.ok(last !== undefined);
  const cancelled: Event = {
    ...last,
    seq: last.seq + 1,
    type: "session.prompt.cancelled",
    data: { prompt_id: prompt(7) },
  };
  assert.throws(
    () =>
      decideImport(
        {
          events: [...events, cancelled],
          task_id: null,
          place: LOCAL,
          cwd: "/elsewhere",
        },
        at(59),
      ),
    /was never given/,
  );
});

test("[CPT-13] an agent that waits in the other home does not run here: the session is paused", () => {
  const story = new Story().up().queue(1).deliver(1).endTurn(1);
  assert.deepEqual(news(story), [
    "session.execution.ended",
    "session.imported",
    "session.state_changed",
  ]);
  assert.equal(imported(story).after.lifecycle.name, "PAUSED");
});

test("[CPT-13] [P7] a turn in progress is interrupted, and what waits is kept", () => {
  const story = new Story().up().queue(1).queue(2).deliver(1);
  story.report(askItem(permissionId(1, 10), story.words(4)));
  const { after } = imported(story);
  assert.deepEqual(
    after.prompts.unresolved.map(({ id, kind }) => [id, kind]),
    [[prompt(1), "interrupted"]],
  );
  assert.deepEqual(
    after.prompts.queue.map(({ id }) => id),
    [prompt(2)],
  );
  assert.deepEqual(after.permissions.pending, []);
  assert.equal(after.lifecycle.name, "PAUSED");
});

test("[CPT-13] [P7] a prompt of which nobody knows whether it was taken is uncertain", () => {
  const { after } = imported(new Story().up().queue(1));
  assert.deepEqual(
    after.prompts.unresolved.map(({ kind }) => kind),
    ["uncertain"],
  );
});

test("[CPT-13] an ended session stays ended, and one from the trash is out of it", () => {
  const story = rested();
  story.given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  story.given({ type: "session.delete" });
  const { after } = imported(story);
  assert.equal(after.lifecycle.name, "COMPLETED");
  assert.equal(after.deleted_at, null);
});

test("[CPT-13] it is said that values of variables did not come along", () => {
  const story = new Story({
    definition: { agent: "demo", home: "user", env_names: ["API_KEY"] },
  });
  const notice = imported(story).events.findLast(
    ({ type }) => type === "session.notice",
  );
  assert.ok(notice?.type === "session.notice");
  assert.equal(notice.data.code, "env_not_imported");
  assert.match(notice.data.text, /API_KEY/);
});

test("[CHK-42] [CPT-13] it is said that files lost what they were privileged by", () => {
  const { events } = rested();
  const parts = { events, task_id: null, place: LOCAL, cwd: "/x" };
  const noticed = (privileged?: number) =>
    decideImport({ ...parts, ...(privileged && { privileged }) }, at(1))
      .events.filter(({ type }) => type === "session.notice")
      .map(({ data }) => ("code" in data ? data.code : ""));
  assert.deepEqual(noticed(), []);
  assert.deepEqual(noticed(2), ["privileges_not_imported"]);
});

test("[CPT-13] events that are no journal are not taken for one", () => {
  const { events } = rested();
  const importOf = (parts: typeof events) => () =>
    decideImport(
      { events: parts, task_id: null, place: LOCAL, cwd: "/x" },
      at(1),
    );
  assert.throws(importOf([]));
  assert.throws(importOf(events.slice(1)));
});

test("[CPT-20] what was captured elsewhere is said to be so when it is brought back", () => {
  const world = {
    agent: "gone",
    workspace: "missing",
    installed: true,
    transcript: "unknown",
    survivors: [],
  } as const;
  const rebuilt = (state: State) => {
    const decision = decideStart(state, world);
    assert.ok(decision.kind === "start" && decision.path === "cold");
    return decision.rebuild;
  };
  const story = rested();
  assert.equal(rebuilt(story.state).moved, undefined);
  const { after } = imported(story);
  assert.equal(rebuilt(after).moved, true);
  const worktree = {
    id: "w",
    path: after.workspace.cwd,
    branch: "b",
    repository: "/r",
  };
  assert.equal(
    rebuilt(changed(after, { workspace: { worktree } })).moved,
    undefined,
  );
});

test("[SES-215] names of variables of the other server are not looked up here, and are told", () => {
  const definition: AgentDefinition = {
    agent: "demo",
    home: "user",
    env_names: ["GIVEN"],
    profile: "work",
    env_from: { KEY: "WORK_KEY" },
  };
  const { after, events } = imported(new Story({ definition }));
  const { env_from: _, ...others } = definition;
  assert.deepEqual(after.agent.definition, others);
  const notice = events.findLast(({ type }) => type === "session.notice");
  assert.ok(notice?.type === "session.notice");
  assert.equal(notice.data.code, "env_not_imported");
  assert.match(notice.data.text, /GIVEN, KEY;/);
});
