/** Asks an agent that was brought back for everything it was told to remember, and holds its answers against the grades. */
import { spoken } from "../../e2e/house.ts";
import type { Event } from "../../../src/contract/event/event.ts";
import { toldIn, type Told } from "../check/line.ts";
import { insist } from "../user/insist.ts";
import type { Play } from "../play.ts";
import { Chance } from "../random.ts";
import { resumed, bringToRest } from "./settle.ts";
import type { Stage } from "../stage.ts";

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
  const keys = withAncestors(play).flatMap(({ sent }) =>
    sent.flatMap(({ tag, remembers }) =>
      remembers === null ? [] : [{ ...remembers, tag }],
    ),
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
    leaves: [],
    acknowledged: [asked.value.id],
  });
  await bringToRest(stage, play, signal);
  return { prompt: asked.value.id, keys };
};

/** A fork knows what its ancestors had been told by then. */
const withAncestors = (play: Play): Play[] =>
  play.parent === null ? [play] : [play, ...withAncestors(play.parent.play)];

/** What became of what it was told, key by key; and of what was said in turns that were left behind. */
export const checkRecalled = (
  stage: Stage,
  play: Play,
  journals: ReadonlyMap<Play, readonly Event[]>,
  { prompt, keys }: Recalled,
): void => {
  const journal = journals.get(play) ?? [];
  const said = spokenIn(journal, prompt);
  if (said === null) {
    stage.violations.add(
      "P9",
      play.name,
      "it did not answer what it was asked after its resume",
    );
    return;
  }
  const lines = linesUpTo(play, journals);
  for (const { key, value, tag } of keys) {
    const knows = said.includes(`${key}=${value}\n`);
    const { mayKnow, told } = whatItShouldKnow(lines, tag);
    if (knows && !mayKnow)
      stage.violations.add(
        "CPT-7",
        play.name,
        `it knows ${key}, which was said in a turn it does not go on from`,
      );
    if (told === null || knows) continue;
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

/** A session's turns and its ancestors', and which of them led to where it is. */
interface Line extends Told {
  goesOnFrom: readonly number[];
}

const linesUpTo = (
  play: Play,
  journals: ReadonlyMap<Play, readonly Event[]>,
): Line[] => {
  const lines: Line[] = [];
  let at: number | null = null;
  for (const each of withAncestors(play)) {
    const told = toldIn(journals.get(each) ?? []);
    const line: readonly number[] =
      at === null ? told.now : (told.before.get(at) ?? []);
    lines.push({ ...told, goesOnFrom: line });
    at = each.parent?.turn ?? null;
  }
  return lines;
};

/** Whether it can have heard the prompt with this tag, and since which of its events it should know what was said. */
const whatItShouldKnow = (
  [own, ...inherited]: readonly Line[],
  tag: string,
): { mayKnow: boolean; told: number | null } => {
  const on = (line: Line | undefined) =>
    (line?.turns.get(tag) ?? []).filter(({ number }) =>
      line?.goesOnFrom.includes(number),
    );
  const mine = on(own);
  const theirs = inherited.flatMap(on);
  const isTold = theirs.some(({ completed }) => completed !== null);
  return {
    mayKnow: mine.length + theirs.length > 0,
    told: isTold
      ? 0
      : (mine.find(({ completed }) => completed !== null)?.completed ?? null),
  };
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
