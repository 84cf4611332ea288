import assert from "node:assert/strict";
import { test } from "node:test";
import { matrix, type Row } from "./matrix.ts";
import type { RealAgent } from "./packages.ts";
import { killAtPermission } from "./rows/kill-at-permission.ts";
import { killDuringShell } from "./rows/kill-during-shell.ts";
import { killMidStream } from "./rows/kill-mid-stream.ts";
import { pause } from "./rows/pause.ts";
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
};

/** Everything we say of an agent, shown with the real program through the real Reprise. */
export const testThroughReprise = (agent: RealAgent): void => {
  for (const row of Object.keys(matrix[agent]) as Row[]) {
    const { play, name } = plays[row];
    const grade = matrix[agent][row];
    test(`${name}: ${agent} comes back ${grade}`, async () => {
      await using scene = await Scene.make(agent);
      assert.equal(await play(scene), grade);
    });
  }
};
