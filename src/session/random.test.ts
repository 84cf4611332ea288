import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkpointId } from "../contract/checkpoint.ts";
import { eventTypes } from "../contract/event.ts";
import { permissionId } from "../contract/id.ts";
import type { ReportItem } from "../contract/report.ts";
import type { Command } from "./command.ts";
import { seenOf } from "./history.ts";
import { intend } from "./intend.ts";
import { checkInvariants } from "./invariants.ts";
import {
  SESSION,
  Story,
  abilities,
  askItem,
  capture,
  execution,
  prompt,
  readyItem,
  tree,
} from "./testing.ts";

/** What may happen next, as a function of where the story stands: real reports and wrong ones alike. */
type Step = (story: Story, n: number) => Command;

const bytes = (
  story: Story,
  from: number,
  length: number,
): { from: number; to: number } => {
  const offset = story.state.execution?.offset ?? 0;
  return {
    from: Math.max(0, offset + from),
    to: Math.max(0, offset + from) + length,
  };
};

const reporting =
  (item: (story: Story, n: number) => ReportItem, older = 0): Step =>
  (story, n) => ({
    type: "execution.report",
    epoch: story.state.epoch - older,
    items: [item(story, n)],
  });

const currentPrompt = (story: Story, n: number) =>
  story.state.lifecycle.name === "RUNNING"
    ? story.state.lifecycle.turn.prompt_id
    : prompt(n);

const text =
  (shift: number) =>
  (story: Story): ReportItem => ({
    kind: "text",
    role: "agent",
    text: "words",
    range: bytes(story, shift, 5),
  });

const turnEnded = (
  story: Story,
  n: number,
): Extract<ReportItem, { kind: "turn_ended" }> => ({
  kind: "turn_ended",
  prompt_id: currentPrompt(story, n),
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  error: null,
  range: bytes(story, 0, 3),
});

const turnCancelled = (story: Story, n: number): ReportItem => ({
  ...turnEnded(story, n),
  stop_reason: "cancelled",
});

const ended =
  (taken: boolean) =>
  (story: Story, n: number): ReportItem => ({
    kind: "ended",
    range: null,
    ending: { kind: "killed", signal: "SIGKILL" },
    not_taken: taken ? [] : [currentPrompt(story, n)],
    stderr_tail: "",
  });

const openPermission = (story: Story) =>
  story.state.permissions[0]?.id ?? permissionId(1, 1);

const delivered = (story: Story, n: number): ReportItem => ({
  kind: "prompt_delivered",
  range: null,
  prompt_id: currentPrompt(story, n),
});
const answered = (story: Story): ReportItem => ({
  kind: "answer_delivered",
  range: null,
  permission_id: openPermission(story),
});

const capturing =
  (outcome: "saved" | "partial" | "failed"): Step =>
  ({ state: { due, last_turn, token } }, n) => ({
    type: "checkpoint.report",
    kind: due?.kind ?? "turn",
    turn: due?.turn ?? last_turn,
    capture: capture(n, { outcome }),
    token,
  });

const rewindTo = (story: Story, n: number): Command => ({
  type: "session.rewind",
  seen: seenOf(story.state),
  turn: Math.min(n, story.state.last_turn),
  checkpoint_id: checkpointId(n),
  tree: tree(n),
  memory: null,
  own: null,
  others: [],
});

const steps: readonly Step[] = [
  (_, n) => ({
    type: "prompt.queue",
    prompt_id: prompt(n),
    content: [{ type: "text", text: `${n}` }],
  }),
  (story) => ({
    type: "prompt.cancel",
    prompt_id: story.state.queue[0]?.id ?? prompt(0),
  }),
  (story, n) => ({
    type: "prompt.resolve",
    prompt_id: story.state.unresolved[0]?.id ?? prompt(0),
    action: "continue",
    by: { prompt_id: prompt(n), content: [{ type: "text", text: "go on" }] },
  }),
  () => ({ type: "turn.cancel" }),
  (story) => ({
    type: "permission.answer",
    permission_id: openPermission(story),
    option_id: "yes",
  }),
  () => ({ type: "session.pause", reason: "paused" }),
  () => ({ type: "session.resume", trigger: "request" }),
  (story) => ({ type: "execution.lose", epoch: story.state.epoch }),
  (story) => ({ type: "execution.lose", epoch: story.state.epoch - 1 }),
  () => ({ type: "session.rest", idle_ms: 0 }),
  (_, n) => begin(n, "directory"),
  (_, n) => begin(n, "directory"),
  (_, n) => begin(n, "missing"),
  (story) => ({
    type: "execution.fail",
    epoch: story.state.execution?.epoch ?? null,
    code: "agentctl_unavailable",
    message: "away",
  }),
  (story) => ({
    type: "execution.reattach",
    epoch: story.state.epoch,
    took_ms: 1,
  }),
  (story) => ({
    type: "delivery.fail",
    prompt_id: currentPrompt(story, 0),
    message: "no",
  }),
  (story) => ({
    type: "history.inject",
    prompt_id: currentPrompt(story, 0),
    text: "history",
    left_out: 0,
  }),
  reporting((story) =>
    readyItem(bytes(story, 0, 4), { opened: "resumed", verified: true }),
  ),
  reporting((story) =>
    readyItem(bytes(story, 0, 4), {
      failed: { reason: "unknown_session", message: "?" },
    }),
  ),
  reporting((story) =>
    readyItem(bytes(story, 0, 4), {
      abilities: abilities({ resume: false, load: false, injection: false }),
    }),
  ),
  reporting(() => ({
    kind: "start_failed",
    range: null,
    failure: "agent_exited",
    message: "no",
  })),
  reporting(text(0)),
  reporting(text(0)),
  reporting(text(0)),
  reporting(text(-5)),
  reporting(text(7)),
  reporting(text(0), 1),
  reporting((story) => ({
    kind: "tool",
    tool: { id: "t", title: "Tool", status: "in_progress" },
    range: bytes(story, 0, 2),
  })),
  reporting((story) => ({
    kind: "tool",
    tool: { id: "t", status: "completed" },
    range: bytes(story, 0, 2),
  })),
  reporting((story, n) =>
    askItem(permissionId(story.state.epoch, n), bytes(story, 0, 2)),
  ),
  reporting(delivered),
  reporting(answered),
  reporting(turnEnded),
  reporting(turnCancelled),
  reporting(turnEnded),
  reporting((_, n) => ({
    kind: "transcript",
    range: null,
    bytes: n,
    sha256: "x",
  })),
  reporting((story, n) => ({
    kind: "token",
    token: `token ${n}`,
    range: bytes(story, 0, 2),
  })),
  reporting(ended(true)),
  reporting(ended(false)),
  reporting(ended(true), 1),
  capturing("saved"),
  capturing("partial"),
  capturing("failed"),
  rewindTo,
  () => ({ type: "rewind.done", changes: 1 }),
  () => ({ type: "rewind.fail", code: "unknown_tree", message: "no" }),
  () => ({ type: "checkpoint.secure", after_ms: 0 }),
  () => ({ type: "workspace.share", with: SESSION }),
  () => ({
    type: "session.handoff",
    definition: { agent: "demo-inject", home: "user", env_names: [] },
    abilities: abilities({ resume: false, load: false }),
  }),
  () => ({ type: "session.delete" }),
  () => ({ type: "session.undelete" }),
  () => ({ type: "session.undelete" }),
];

/** What a well-behaved world would do next, so that stories get far. */
const expected: Step = (story, n) => {
  const intent = intend(story.state)[0];
  switch (intent?.kind) {
    case "begin":
      return begin(n, "directory");
    case "launch":
      return reporting((s) =>
        readyItem(bytes(s, 0, 4), { opened: "resumed", verified: true }),
      )(story, n);
    case "deliver":
      return reporting(delivered)(story, n);
    case "answer":
      return reporting(answered)(story, n);
    case "stop":
      return reporting(ended(true))(story, n);
    case "checkpoint":
      return capturing("saved")(story, n);
    case "rewind":
      return n % 3 === 0
        ? { type: "rewind.fail", code: "unknown_tree", message: "no" }
        : { type: "rewind.done", changes: n };
    case "cancel":
    case "continue":
    case undefined:
      return story.state.lifecycle.name === "RUNNING"
        ? reporting(turnEnded)(story, n)
        : {
            type: "prompt.queue",
            prompt_id: prompt(n),
            content: [{ type: "text", text: "more" }],
          };
  }
};

const rareSteps: readonly Step[] = [
  () => ({ type: "session.end", outcome: "completed", reason: "requested" }),
  () => ({ type: "session.end", outcome: "failed", reason: "gave_up" }),
];

const begin = (n: number, workspace: "directory" | "missing"): Command => ({
  type: "execution.begin",
  execution_id: execution(n),
  term: 1,
  report: {
    agent: "gone",
    workspace,
    installed: true,
    transcript: "present",
    survivors: [],
    instruction_files: [{ name: "AGENTS.md", sha256: `${n % 3}` }],
  },
  agentctl: { runtime: "standalone", url: "unix:/s", pid: 1, build: "0" },
});

/** Events that no step here leads to, or only by luck. */
const rare = new Set<string>([
  "session.plan.updated",
  "session.usage",
  "session.agent.update",
  "session.history.injected",
  "session.permission.delivered",
  "session.forked",
  "session.imported",
]);

test("[SES-1] [SES-3] [SES-6] [SES-8] [SES-11] [SES-13] [SES-14] [SES-24] random stories keep every invariant", () => {
  const all = [...steps, ...rareSteps, expected];
  const reached = new Set<string>();
  const step = fc.oneof(
    { weight: 60, arbitrary: fc.constant(all.length - 1) },
    { weight: 60, arbitrary: fc.nat(steps.length - 1) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: steps.length, max: all.length - 2 }),
    },
  );
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 10, maxLength: 80, size: "max" }),
      (sequence) => {
        const story = new Story({ checkpoints: sequence.length % 2 === 0 });
        const commands: string[] = [];
        sequence.forEach((index, i) => {
          const next = all[index];
          if (next === undefined) return;
          const command = next(story, i + 1);
          commands.push(JSON.stringify(command));
          story.when(command);
          try {
            checkInvariants(story.events);
          } catch (error) {
            throw new Error(commands.join("\n"), { cause: error });
          }
        });
        for (const type of story.types()) reached.add(type);
      },
    ),
    { numRuns: 200, seed: Number(process.env["SEED"] ?? 1) },
  );
  const missed = eventTypes.filter(
    (type) => !reached.has(type) && !rare.has(type),
  );
  assert.deepEqual(missed, [], "the stories get far enough to mean something");
});
