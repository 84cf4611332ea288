/** What users say to the demo agent. Every prompt bears a tag of its own, by which it is found again. */
import { join } from "node:path";
import type { Chance } from "./random.ts";

export interface Words {
  text: string;
  remembers: { key: string; value: string } | null;
  /** The file it writes when it is allowed to. */
  asksToWrite: string | null;
}

const appends = join(import.meta.dirname, "programs/appends.ts");

export const LOG = "appended.log";

export const tagIn = (text: string): string | null =>
  /tag:([\w.]+);/.exec(text)?.[1] ?? null;

export const wordsFor = (
  chance: Chance,
  tag: string,
  speech: Speech = {},
): Words => {
  const words: Words = { text: "", remembers: null, asksToWrite: null };
  const commands = Array.from({ length: chance.between(1, 3) }, () =>
    command(chance, tag, words, { ...weights, ...speech }),
  );
  words.text = [`tag:${tag};`, ...commands].join("\n");
  return words;
};

/** How often each is said, compared with the others, where it differs from the usual. */
export type Speech = Partial<typeof weights>;

const weights = {
  count: 6,
  run: 4,
  "run-behind": 1,
  write: 2,
  ask: 2,
  "ask-write": 1,
  remember: 3,
  big: 1,
  sleep: 2,
  crash: 0.1,
};

const command = (
  chance: Chance,
  tag: string,
  words: Words,
  speech: typeof weights,
): string => {
  const name = chance.weighted(speech);
  switch (name) {
    case "count":
      return `count ${chance.between(10, 80)} ${chance.between(0, 25)}`;
    case "run":
      return `run ${appending(chance.between(10, 60))}`;
    case "run-behind":
      return `run ${appending(chance.between(50, 400))} >/dev/null 2>&1 &`;
    case "write":
      return `write ${tag}.txt ${tag}`;
    case "ask":
      return `ask May ${tag} go on?`;
    case "ask-write":
      words.asksToWrite = `asked-${tag}.txt`;
      return `ask-write ${words.asksToWrite} ${tag}`;
    case "remember":
      words.remembers = {
        key: `k.${tag}`,
        value: `v${chance.between(0, 1e6)}`,
      };
      return `remember ${words.remembers.key}=${words.remembers.value}`;
    case "big":
      return `big ${chance.between(1, 300)}`;
    case "sleep":
      return `sleep ${chance.between(10, 800)}`;
    case "crash":
      return "crash";
  }
};

const appending = (times: number): string =>
  `'${process.execPath}' '${appends}' ${LOG} ${times} 20`;
