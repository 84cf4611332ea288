import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../state/command.ts";
import { Story } from "../testing.ts";

type News = Extract<Command, { type: "agentctl.report" }>["agentctl"];

const facts = { runtime: "standalone", url: "unix:/a", pid: 7, build: "1" };
const starting: News = { status: "starting" };
const ready: News = { status: "ready", facts };
const away: News = {
  status: "error",
  code: "agentctl_unavailable",
  message: "It is away.",
};

/** The events that this news makes, one after the other. */
const told = (story: Story, ...news: News[]): string[] => {
  const before = story.events.length;
  for (const agentctl of news)
    story.given({ type: "agentctl.report", agentctl });
  return story
    .types()
    .slice(before)
    .map((type) => type.replace("session.agentctl_", ""));
};

test("[REC-34] a session is told how it goes with agentctl, and nothing twice", () => {
  const story = new Story().up();
  assert.deepEqual(
    told(story, starting, starting, away, away, starting, ready, ready),
    ["starting", "error", "ready"],
  );
  const other: News = { ...ready, facts: { ...facts, pid: 8 } };
  assert.deepEqual(told(story, other), ["ready"], "another one");
  const reached: News = { ...other, status: "reached" };
  assert.deepEqual(told(story, reached), ["starting", "ready"], "again");
  assert.deepEqual(
    told(story, away, { ...away, message: "The disk is full." }),
    ["error", "error"],
    "another reason",
  );
});

test("[REC-34] a session that has no agent, or has ended, is not told", () => {
  const resting = new Story().up().die();
  assert.deepEqual(told(resting, starting, ready, away), []);
  const ended = new Story().up();
  ended.given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  assert.deepEqual(told(ended, starting, ready, away), []);
});

test("[REC-34] what a reattach tells of agentctl comes with it, also of the one that was there before", () => {
  const story = new Story().up();
  const told = (epoch: number): string[] => {
    const before = story.events.length;
    story.given({
      type: "execution.reattach",
      epoch,
      took_ms: 1,
      agentctl: facts,
    });
    return story
      .types()
      .slice(before)
      .map((type) => type.replace("session.", ""));
  };
  const all = ["agentctl_starting", "agentctl_ready", "resumed"];
  assert.deepEqual(told(1), all);
  assert.deepEqual(told(1), all);
  assert.deepEqual(told(2), [], "another execution");
  story.given({ type: "agentctl.report", agentctl: away });
  assert.deepEqual(told(1), ["agentctl_ready", "resumed"]);
  story.given({ type: "session.pause", reason: "paused" });
  assert.deepEqual(told(1), ["agentctl_starting", "agentctl_ready"]);
});
