import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { testDirectly } from "./direct.ts";
import { matrix, type Row } from "./matrix.ts";
import type { RealAgent } from "./packages.ts";
import { cold } from "./rows/cold.ts";
import { fork } from "./rows/fork.ts";
import { handoff, heirOf } from "./rows/handoff.ts";
import { killAtPermission } from "./rows/kill-at-permission.ts";
import { killDuringShell } from "./rows/kill-during-shell.ts";
import { killMidStream } from "./rows/kill-mid-stream.ts";
import { moved } from "./rows/moved.ts";
import { pause } from "./rows/pause.ts";
import { quota } from "./rows/quota.ts";
import { rewind } from "./rows/rewind.ts";
import { unknownToken } from "./rows/unknown-token.ts";
import { Scene } from "./scene.ts";
import { showing, testPage } from "./shown.ts";

/** Resolves with what came of it: mostly the grade of a resume, after it was shown that the agent knows what that grade says it knows. */
type Play = (scene: Scene) => Promise<string>;

/** Whether the agent goes on in its own place, or its session is put into another one first. */
type Part = "stays" | "moves";

const plays: Readonly<Record<Row, { play: Play; part: Part; name: string }>> = {
  pause: { play: pause, part: "stays", name: "[P6] paused and resumed" },
  killMidStream: {
    play: killMidStream,
    part: "stays",
    name: "[P6] [P7] everything killed in the middle of a stream, the prompt not sent again",
  },
  unknownToken: {
    play: unknownToken,
    part: "stays",
    name: "[P6] [P9] resumed with a token that the agent does not know",
  },
  killAtPermission: {
    play: killAtPermission,
    part: "stays",
    name: "[P5] everything killed while a permission is asked for",
  },
  killDuringShell: {
    play: killDuringShell,
    part: "stays",
    name: "[P4] killed while a shell command runs, which never writes afterwards",
  },
  cold: {
    play: cold,
    part: "moves",
    name: "[P3] [P6] workspace and agent home deleted while paused",
  },
  fork: { play: fork, part: "moves", name: "[P6] forked into another path" },
  rewind: {
    play: rewind,
    part: "moves",
    name: "[P6] rewound beside another session in the same home, which does not notice",
  },
  moved: {
    play: moved,
    part: "moves",
    name: "[P3] [P6] exported, everything removed, imported at another path",
  },
  handoff: {
    play: handoff,
    part: "moves",
    name: "[P6] handed off to another agent",
  },
  quota: {
    play: quota,
    part: "stays",
    name: "[SES-27] its quota is used up for a while",
  },
};

/** Programs of hundreds of megabytes that start several times per test: on a busy machine they take their time. */
const LIMIT_MS = 240_000;

/** Everything we say of an agent, shown with the real program through the real Reprise. */
export const testAgent = (
  agent: RealAgent,
  parts: readonly Part[] = ["stays", "moves"],
): void => {
  // Gemini waits for the next minute before it loads a session: its tests wait for it together.
  const concurrency = agent === "gemini" ? 4 : 1;
  describe(agent, { concurrency }, () => {
    if (parts.includes("stays")) testDirectly(agent, LIMIT_MS);
    for (const row of Object.keys(plays) as Row[]) {
      const { play, part, name } = plays[row];
      if (!parts.includes(part)) continue;
      const outcome = matrix[agent][row];
      test(`${name}: ${outcome}`, { timeout: LIMIT_MS }, async () => {
        const others = row === "handoff" ? [heirOf(agent)] : [];
        await using scene = await Scene.make(agent, {}, others);
        const shown = await showing(agent, row, () => play(scene));
        assert.equal(shown, outcome);
      });
    }
  });
  testPage(agent);
};
