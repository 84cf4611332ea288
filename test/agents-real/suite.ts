import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { matrix, type Row } from "./matrix.ts";
import type { RealAgent } from "./packages.ts";
import { cold } from "./rows/cold.ts";
import { fork } from "./rows/fork.ts";
import { handoff, heirOf } from "./rows/handoff.ts";
import { killAtPermission } from "./rows/kill-at-permission.ts";
import { killDuringShell } from "./rows/kill-during-shell.ts";
import { killMidStream } from "./rows/kill-mid-stream.ts";
import { pause } from "./rows/pause.ts";
import { rewind } from "./rows/rewind.ts";
import { unknownToken } from "./rows/unknown-token.ts";
import { Scene } from "./scene.ts";

/** Resolves with the grade of the resume, after it was shown that the agent knows what that grade says it knows. */
type Play = (scene: Scene) => Promise<string>;

const plays: Readonly<Record<Row, { play: Play; name: string }>> = {
  pause: { play: pause, name: "[P6] paused and resumed" },
  killMidStream: {
    play: killMidStream,
    name: "[P6] [P7] everything killed in the middle of a stream, the prompt not sent again",
  },
  unknownToken: {
    play: unknownToken,
    name: "[P6] [P9] resumed with a token that the agent does not know",
  },
  killAtPermission: {
    play: killAtPermission,
    name: "[P5] everything killed while a permission is asked for",
  },
  killDuringShell: {
    play: killDuringShell,
    name: "[P4] killed while a shell command runs, which never writes afterwards",
  },
  cold: {
    play: cold,
    name: "[P3] [P6] workspace and agent home deleted while paused",
  },
  fork: { play: fork, name: "[P6] forked into another path" },
  rewind: {
    play: rewind,
    name: "[P6] rewound beside another session in the same home, which does not notice",
  },
  handoff: { play: handoff, name: "[P6] handed off to another agent" },
};

/** Everything we say of an agent, shown with the real program through the real Reprise. */
export const testThroughReprise = (agent: RealAgent): void => {
  // Gemini waits for the next minute before it loads a session: its tests wait for it together.
  describe(agent, { concurrency: agent === "gemini" ? 4 : 1 }, () => {
    for (const row of Object.keys(matrix[agent]) as Row[]) {
      const { play, name } = plays[row];
      const grade = matrix[agent][row];
      test(`${name}: it comes back ${grade}`, async () => {
        const others = row === "handoff" ? [heirOf(agent)] : [];
        await using scene = await Scene.make(agent, {}, others);
        assert.equal(await play(scene), grade);
      });
    }
  });
};
