import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
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
import { type Cast, SharedScene } from "./shared-scene.ts";
import { showing, testPage } from "./shown.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

/** Resolves with what came of it: mostly the grade of a resume, after it was shown that the agent knows what that grade says it knows. */
type Play = (cast: Cast) => Promise<string>;

/** Whether the agent goes on in its own place, or its session is put into another one first. */
type Part = "stays" | "moves";

/**
 * In the order in which they are played. The bystander has its first resume before its token is spoilt; whatever gives the
 * agent a new home comes when the bystander is not needed any more; who takes over ends the row.
 */
const plays: Readonly<Record<Row, { play: Play; part: Part; name: string }>> = {
  pause: { play: pause, part: "stays", name: "[P6] paused and resumed" },
  killMidStream: {
    play: killMidStream,
    part: "stays",
    name: "[P6] [P7] everything killed in the middle of a stream, the prompt not sent again",
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
  quota: {
    play: quota,
    part: "stays",
    name: "[SES-27] its quota is used up for a while",
  },
  rewind: {
    play: rewind,
    part: "moves",
    name: "[P6] rewound beside another session in the same home, which does not notice",
  },
  unknownToken: {
    play: unknownToken,
    part: "stays",
    name: "[P6] [P9] resumed with a token that the agent does not know",
  },
  fork: { play: fork, part: "moves", name: "[P6] forked into another path" },
  cold: {
    play: cold,
    part: "moves",
    name: "[P3] [P6] workspace and agent home deleted while paused",
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
};

/** Programs of hundreds of megabytes that start several times per test: on a busy machine they take their time. */
const LIMIT_MS = patience(240_000);

/** Everything we say of an agent, shown with the real program through the real Reprise. */
export const testAgent = (
  agent: RealAgent,
  parts: readonly Part[] = ["stays", "moves"],
): void => {
  // Gemini waits for the next minute before it loads a session: alone and through Reprise it waits at the same time.
  describe(agent, { concurrency: agent === "gemini" ? 2 : 1 }, () => {
    if (parts.includes("stays")) testDirectly(agent, LIMIT_MS);
    // Not inherited: a row goes on with what the row before it left.
    describe("through Reprise", { concurrency: 1 }, () =>
      testRows(agent, parts),
    );
  });
  testPage(agent);
};

const testRows = (agent: RealAgent, parts: readonly Part[]): void => {
  const heirs = parts.includes("moves") ? [heirOf(agent)] : [];
  const shared = new SharedScene(() => Scene.make(agent, {}, heirs));
  after(() => shared.close());
  for (const row of Object.keys(plays) as Row[]) {
    const { play, part, name } = plays[row];
    if (!parts.includes(part)) continue;
    const outcome = matrix[agent][row];
    test(`${name}: ${outcome}`, { timeout: LIMIT_MS }, async () => {
      const shown = await showing(agent, row, () => shared.play(play));
      assert.equal(shown, outcome);
    });
  }
};
