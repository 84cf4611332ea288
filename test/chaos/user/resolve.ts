/** Deciding what becomes of a prompt whose turn was cut off. */
import { expect } from "./expect.ts";
import { insist } from "./insist.ts";
import type { Play } from "../play.ts";
import type { Chance } from "../random.ts";
import type { Stage } from "../stage.ts";

export const resolutions = ["continue", "resend", "drop"] as const;

export const resolve = async (
  stage: Stage,
  play: Play,
  chance: Chance,
  prompt_id: string,
  action: (typeof resolutions)[number],
  signal = stage.over,
): Promise<void> => {
  const outcome = await insist(chance, signal, (patience) =>
    stage.client.call("resolvePrompt", {
      params: { id: play.id, prompt_id },
      body: { action },
      signal: patience,
    }),
  );
  expect(stage, play, outcome);
};
