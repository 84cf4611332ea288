/** What users say to the demo agent. Every prompt bears a tag of its own, by which it is found again. */
import { join } from "node:path";
import type { Chance } from "../random.ts";

export interface Words {
  text: string;
  remembers: { key: string; value: string } | null;
  /** The file it writes when it is allowed to. */
  asksToWrite: string | null;
  leaves: Leaf[];
}

/** What a prompt leaves in the workspace: a file with this content, a link, or an empty directory. */
export interface Leaf {
  path: string;
  holds: string;
  /** The words with which the agent says that it did it; null when a turn that was completed is enough. */
  told: string | null;
}

/** As whoever reads a restored workspace describes what is not a file. */
export const linkTo = (target: string): string => `-> ${target}`;
export const EMPTY_DIRECTORY = "an empty directory";

const appends = join(import.meta.dirname, "../programs/appends.ts");
const maps = join(import.meta.dirname, "../programs/maps.ts");

export const LOG = "appended.log";
/** Written through a mapping. */
export const MAPPED = "mapped.bin";

export const tagIn = (text: string): string | null =>
  /tag:([\w.]+);/.exec(text)?.[1] ?? null;

export const wordsFor = (
  chance: Chance,
  tag: string,
  speech: Speech = {},
): Words => {
  const words: Words = {
    text: "",
    remembers: null,
    asksToWrite: null,
    leaves: [],
  };
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
  map: 1,
  "map-behind": 1,
  write: 2,
  overwrite: 2,
  shape: 1,
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
    case "map":
      return `run ${mapping(chance.between(5, 30))}`;
    case "map-behind":
      return `run ${mapping(chance.between(50, 400))} >/dev/null 2>&1 &`;
    case "write":
      return write("write", `${tag}.txt`, tag, words);
    case "overwrite":
      return write("write", `notes/${chance.between(1, 3)}.txt`, tag, words);
    case "shape":
      words.leaves.push(
        { path: `shape/${tag}/link`, holds: linkTo("nowhere"), told: null },
        { path: `shape/${tag}/hollow`, holds: EMPTY_DIRECTORY, told: null },
      );
      return `run mkdir -p shape/${tag}/hollow && chmod 750 shape/${tag} && ln -sfn nowhere shape/${tag}/link`;
    case "ask":
      return `ask May ${tag} go on?`;
    case "ask-write":
      words.asksToWrite = `asked-${tag}.txt`;
      return write("ask-write", words.asksToWrite, tag, words);
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

const write = (
  how: "write" | "ask-write",
  path: string,
  holds: string,
  { leaves }: Words,
): string => {
  leaves.push({ path, holds, told: `I wrote ${path}.` });
  return `${how} ${path} ${holds}`;
};

const mapping = (times: number): string =>
  `'${process.execPath}' --no-warnings '${maps}' ${MAPPED} ${times} 20`;

const appending = (times: number): string =>
  `'${process.execPath}' '${appends}' ${LOG} ${times} 20`;
