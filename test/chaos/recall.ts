/** Asks an agent that was brought back for everything it was told to remember, and holds its answers against the grades. */
import { spoken } from "../e2e/house.ts";
import type { Event } from "../../src/contract/event.ts";
import { insist } from "./insist.ts";
import type { Play } from "./play.ts";
import { Chance } from "./random.ts";
import { resumed, bringToRest } from "./settle.ts";
import type { Stage } from "./stage.ts";

export interface Recalled {
  /** The prompt that asked. */
  prompt: string;
  keys: readonly { key: string; value: string; tag: string }[];
}

/** Brings it back, asks, and waits for the answer. Null when it could not be done; why is a violation by then. */
export const recall = async (
  stage: Stage,
  play: Play,
  signal: AbortSignal,
): Promise<Recalled | null> => {
  const chance = new Chance(stage.seed, `recall ${play.name}`);
  if ((await resumed(stage, play, chance, signal)) === null) return null;
  const keys = play.sent.flatMap(({ tag, remembers }) =>
    remembers === null ? [] : [{ ...remembers, tag }],
  );
  const text = [
    `tag:${play.name}.recall;`,
    ...keys.map(({ key }) => `recall ${key}`),
  ].join("\n");
  const asked = await insist(chance, signal, (patience) =>
    stage.client.call("queuePrompt", {
      params: { id: play.id },
      body: { text },
      key: "recall",
      signal: patience,
    }),
  );
  if (asked.kind !== "done") {
    stage.violations.add(
      "P9",
      play.name,
      `it takes no prompt after its resume: ${JSON.stringify(asked)}`,
    );
    return null;
  }
  play.sent.push({
    tag: `${play.name}.recall`,
    text,
    remembers: null,
    asksToWrite: null,
    acknowledged: [asked.value.id],
  });
  await bringToRest(stage, play, signal);
  return { prompt: asked.value.id, keys };
};

/** What became of what it was told, turn by turn. */
export const checkRecalled = (
  stage: Stage,
  play: Play,
  journal: readonly Event[],
  { prompt, keys }: Recalled,
): void => {
  const said = spokenIn(journal, prompt);
  if (said === null) {
    stage.violations.add(
      "P9",
      play.name,
      "it did not answer what it was asked after its resume",
    );
    return;
  }
  for (const { key, value, tag } of keys) {
    const told = toldAt(journal, tag);
    if (told === null || said.includes(`${key}=${value}\n`)) continue;
    if (!said.includes(`${key} is unknown\n`))
      stage.violations.add(
        "P6",
        play.name,
        `it answers something else for ${key}: ${said.slice(0, 500)}`,
      );
    else if (!forgotOpenly(journal, told))
      stage.violations.add(
        "P6",
        play.name,
        `it forgot ${key}, told at event ${told}, and no resume since says so`,
      );
  }
};

/** The event with which the turn that told it was completed; null when there was none. */
const toldAt = (journal: readonly Event[], tag: string): number | null => {
  const prompts = new Set(
    journal.flatMap((event) =>
      event.type === "session.prompt.queued" &&
      event.data.text.includes(`tag:${tag};`)
        ? [event.data.prompt_id]
        : [],
    ),
  );
  const end = journal.find(
    (event) =>
      event.type === "session.turn.ended" &&
      event.data.outcome === "completed" &&
      prompts.has(event.data.prompt_id),
  );
  return end?.seq ?? null;
};

const forgotOpenly = (journal: readonly Event[], since: number): boolean =>
  journal.some(
    (event) =>
      event.seq > since &&
      event.type === "session.resumed" &&
      event.data.resume.grade === "fresh" &&
      event.data.resume.lost !== null,
  );

const spokenIn = (journal: readonly Event[], prompt: string): string | null => {
  const from = journal.findIndex(
    (event) =>
      event.type === "session.turn.started" && event.data.prompt_id === prompt,
  );
  const to = journal.findIndex(
    (event) =>
      event.type === "session.turn.ended" && event.data.prompt_id === prompt,
  );
  if (from === -1 || to === -1) return null;
  return spoken(journal.slice(from, to));
};
