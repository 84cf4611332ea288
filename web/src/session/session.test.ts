import assert from "node:assert/strict";
import { test } from "node:test";
import { PermissionId } from "../../../src/contract/base/id.ts";
import { turnMark } from "../conversation/fixtures/messages.ts";
import { aSession, at } from "../fixtures/samples.ts";
import { announced } from "./announce.ts";
import {
  askedDiff,
  changesChoices,
  changesQuery,
  changesTitle,
} from "./changes-query.ts";
import { headerFacts } from "./header-facts.ts";
import { neighbourTurn, turnInView, turnToRewind } from "./keys.ts";

test("[PAG-231] [PAG-295] the header says how many turns, tokens and what they cost, as far as that was told", () => {
  const usage = {
    input_tokens: 200_000,
    output_tokens: 14_000,
    total_tokens: 214_000,
  };
  assert.equal(headerFacts(aSession()).size, "7 turns");
  assert.equal(headerFacts(aSession({ turn_count: 0 })).size, "");
  assert.equal(
    headerFacts(aSession({ usage, cost: 1.204, turns_left_behind: 2 })).size,
    "5 turns, 214k tokens, cost 1.20",
  );
});

const nothing = { line: [], permissions: [] };
const resume = {
  path: "fast",
  strategy: "native",
  grade: "native",
  verified: true,
  workspace: "unchanged",
  lost: null,
  took_ms: 700,
} as const;

test("[PAG-100] ends of turns, questions and breaks are told, chunks are not", () => {
  const running = { ...nothing, line: [turnMark({ outcome: "running" })] };
  assert.deepEqual(announced(nothing, running, "Demo"), []);
  assert.deepEqual(announced(running, { ...running }, "Demo"), []);
  assert.deepEqual(
    announced(running, { ...nothing, line: [turnMark()] }, "Demo"),
    ["Turn 1 is completed."],
  );
  const asked = {
    ...running,
    permissions: [
      {
        id: PermissionId.parse("per_1_2048"),
        turn: 1,
        title: "Shell",
        tool_kind: "execute",
        options: [],
        state: "pending" as const,
      },
    ],
  };
  assert.deepEqual(announced(running, asked, "Demo"), [
    "Demo asks to run a command.",
  ]);
  assert.deepEqual(announced(asked, asked, "Demo"), []);
});

test("[PAG-100] a break is told when it happens, and when the agent is back", () => {
  const ending = { kind: "killed", signal: "SIGKILL" } as const;
  const died = { kind: "break", at: at(0), ending, turn: 6 } as const;
  const broken = {
    ...nothing,
    line: [{ ...died, resume: null, resumed_at: null }],
  };
  assert.deepEqual(announced(nothing, broken, "Demo"), [
    "The agent was killed by SIGKILL in turn 6.",
  ]);
  const back = {
    ...nothing,
    line: [{ ...died, resume, resumed_at: at(1_000) }],
  };
  assert.deepEqual(announced(broken, back, "Demo"), [
    "native: It restored its own session in 0.7 s. Verified, workspace unchanged.",
  ]);
});

test("[PAG-101] D means the last turn in view, W the last that can be gone back to", () => {
  const line = [
    turnMark({ turn: 1, capture: "saved" }),
    turnMark({ turn: 2, capture: "failed" }),
    turnMark({ turn: 3, capture: "saved" }),
    turnMark({ turn: 4, capture: "saved", behind: true }),
    turnMark({ turn: 5, capture: "saved" }),
  ];
  assert.equal(turnInView(line, { from: 1, to: 3 }), 3);
  assert.equal(turnInView(line, null), 5);
  assert.equal(turnInView([], null), null);
  assert.equal(turnToRewind(line, null), 3);
  assert.equal(turnToRewind(line, { from: 2, to: 3 }), 3);
  assert.equal(turnToRewind(line, { from: 1, to: 2 }), 1);
  assert.equal(turnToRewind([turnMark({ capture: "saved" })], null), null);
});

test("[PAG-101] [ and ] go to the turn before and behind the one at the top", () => {
  const turns = [1, 2, 3, 7];
  assert.equal(neighbourTurn(turns, { from: 3, to: 7 }, -1), 2);
  assert.equal(neighbourTurn(turns, { from: 3, to: 7 }, 1), 7);
  assert.equal(neighbourTurn(turns, { from: 7, to: 7 }, 1), null);
  assert.equal(neighbourTurn(turns, null, 1), null);
});

test("[PAG-102] the address says which changes are looked at; a turn alone is what that turn changed", () => {
  const all = changesQuery("");
  assert.deepEqual(askedDiff(all, 0), { from: "0", to: "now" });
  const turn = changesQuery("to=3");
  assert.deepEqual(askedDiff(turn, 0), {
    from: undefined,
    to: "3",
  });
  assert.equal(changesTitle(turn), "Changes of turn 3");
  assert.equal(
    changesTitle(changesQuery("from=2&to=5")),
    "From turn 2 to turn 5",
  );
  assert.equal(
    changesTitle(changesQuery("to=<script>")),
    "All changes since the beginning",
  );
  assert.deepEqual(
    changesChoices("ses_1", [
      turnMark(),
      turnMark({ turn: 2, changes: null }),
    ]).map(({ path }) => path),
    ["/s/ses_1/changes", "/s/ses_1/changes?to=1"],
  );
});
