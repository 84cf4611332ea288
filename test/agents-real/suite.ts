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

/**
 * In the order in which they are played. The bystander has its first resume before its token is spoilt, and ends after that;
 * whatever gives the agent a new home comes then; who takes over ends the row. With a killed shell command OpenCode keeps a
 * core busy until it is started again, which the row after it does soon.
 */
const plays: Readonly<Record<Row, { play: Play; name: string }>> = {
  pause: { play: pause, name: "[P6] paused and resumed" },
  killMidStream: {
    play: killMidStream,
    name: "[P6] [P7] everything killed in the middle of a stream, the prompt not sent again",
  },
  killAtPermission: {
    play: killAtPermission,
    name: "[P5] everything killed while a permission is asked for",
  },
  quota: {
    play: quota,
    name: "[SES-27] its quota is used up for a while",
  },
  rewind: {
    play: rewind,
    name: "[P6] rewound beside another session in the same home, which does not notice",
  },
  unknownToken: {
    play: unknownToken,
    name: "[P6] [P9] resumed with a token that the agent does not know",
  },
  fork: { play: fork, name: "[P6] forked into another path" },
  killDuringShell: {
    play: killDuringShell,
    name: "[P4] killed while a shell command runs, which never writes afterwards",
  },
  cold: {
    play: cold,
    name: "[P3] [P6] workspace and agent home deleted while paused",
  },
  moved: {
    play: moved,
    name: "[P3] [P6] exported, everything removed, imported at another path",
  },
  handoff: {
    play: handoff,
    name: "[P6] handed off to another agent",
  },
};

/** Programs of hundreds of megabytes that start several times per test: on a busy machine they take their time. */
const LIMIT_MS = patience(240_000);

/** Everything we say of an agent, shown with the real program through the real Reprise. */
export const testAgent = (agent: RealAgent): void => {
  // Gemini waits for the next minute before it loads a session: alone and through Reprise it waits at the same time.
  describe(agent, { concurrency: agent === "gemini" ? 2 : 1 }, () => {
    testDirectly(agent, LIMIT_MS);
    // Not inherited: a row goes on with what the row before it left.
    describe("through Reprise", { concurrency: 1 }, () => testRows(agent));
  });
  testPage(agent);
};

const testRows = (agent: RealAgent): void => {
  const shared = new SharedScene(() => Scene.make(agent, {}, [heirOf(agent)]));
  after(() => shared.close());
  for (const row of Object.keys(plays) as Row[]) {
    const { play, name } = plays[row];
    const outcome = matrix[agent][row];
    test(`${name}: ${outcome}`, { timeout: LIMIT_MS }, async () => {
      const shown = await showing(agent, row, () => shared.play(play));
      assert.equal(shown, outcome);
    });
  }
};
