/** What the palette shows for what was typed. Pure: the same words always find the same, in the same order. */
import {
  type Fit,
  fuzzyFit,
  fuzzyPathFit,
  fuzzyRank,
} from "../../../src/kit/data/fuzzy.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import type { Task } from "../../../src/contract/task/task.ts";
import type { GlyphState } from "../kit/glyph.tsx";
import type { IconName } from "../kit/icon-paths.ts";
import type { Mark, TurnMark } from "../line/mark.ts";
import {
  changesPath,
  rewindPath,
  routes,
  sessionPath,
  taskPath,
  workspacePath,
} from "../routes.ts";
import { age } from "../words/age.ts";
import { knotRefusals } from "../words/knot-refusals.ts";
import { sessionName } from "../words/session-name.ts";
import { stateWord } from "../words/state-word.ts";
import type { CommandId } from "./command-table.ts";
import { entryOf } from "./command-words.ts";
import { shellCommands } from "./shell-commands.ts";

/** What happens when it is chosen. */
export type Deed =
  | { kind: "command"; id: CommandId }
  | { kind: "go"; path: string }
  | { kind: "show_turn"; turn: number }
  | { kind: "fork"; turn: number }
  | { kind: "copy"; text: string };

export interface PaletteItem {
  id: string;
  label: string;
  /** What is searched besides the label, and not marked in it. */
  also: string;
  detail: string | null;
  look: { icon: IconName } | { glyph: GlyphState };
  keys: string | null;
  /** The label is a command for a terminal. */
  isCode: boolean;
  deed: Deed;
  /** What else can be done with it. */
  more: readonly PaletteItem[];
  session: Session | null;
}

export interface PaletteGroup {
  name: string;
  items: readonly { item: PaletteItem; ranges: Fit["ranges"] }[];
  /** So many more fit. */
  hidden: number;
}

export interface PaletteSources {
  commands: readonly CommandId[];
  sessions: readonly Session[];
  tasks: readonly Task[];
  agents: readonly { id: string; name: string; installed: boolean }[];
  place: { id: string; line: readonly Mark[] } | null;
  agentName: (agent: string) => string;
  now: number;
}

/** Of each kind so many are shown: with what was typed, and before anything is. */
const MAX_SHOWN = 8;
const MAX_SHOWN_FIRST = 5;
const COPIES = "Copy for a terminal";
/** A long text is not a name. */
const MAX_LABEL = 140;

/** Everything that can be found, by kind. Made once per opening. */
export interface Catalogue {
  name: string;
  items: readonly PaletteItem[];
  /** Shown also before anything is typed. */
  isFirst: boolean;
}

export const catalogue = (sources: PaletteSources): Catalogue[] => {
  const { commands, place, sessions } = sources;
  const inPalette = commands.filter((id) => entryOf(id).onlyKey !== true);
  const of = (section: string) =>
    inPalette.filter((id) => entryOf(id).section === section).map(commandItem);
  return [
    { name: "This session", items: of("session"), isFirst: true },
    {
      name: "Sessions",
      items: sessions
        .filter(({ id }) => id !== place?.id)
        .map((session) => sessionItem(session, sources)),
      isFirst: true,
    },
    {
      name: "Turns of this session",
      items: place === null ? [] : turnItems(place.id, place.line),
      isFirst: false,
    },
    { name: "Go to", items: of("page"), isFirst: true },
    { name: "Tasks", items: sources.tasks.map(taskItem), isFirst: false },
    {
      name: "Agents",
      items: sources.agents.map(({ id, name, installed }) =>
        made(`agent ${id}`, name, {
          look: { icon: "agent" },
          also: id,
          detail: installed ? "installed" : "not installed",
          deed: { kind: "go", path: routes.agents },
        }),
      ),
      isFirst: false,
    },
    {
      name: COPIES,
      items: shellCommands(place?.id ?? null).map(copyItem),
      isFirst: false,
    },
  ];
};

/** The groups for what was typed: the one with the best fit first. `files` are found by the server. */
export const paletteGroups = (
  all: readonly Catalogue[],
  query: string,
  files: { session: string; paths: readonly string[] } | null = null,
): PaletteGroup[] => {
  if (query.trim() === "")
    return all
      .filter(({ isFirst }) => isFirst)
      .map(({ name, items }) =>
        shownOf(
          name,
          items.map(unmarked),
          name === "Sessions" ? MAX_SHOWN_FIRST : Infinity,
        ),
      )
      .filter(isFilled);
  const found = all.map(({ name, items }) => ({
    name,
    found: fuzzyRank(items, (item) => itemFit(query, item)),
  }));
  const isCopy = ({ name }: { name: string }) => name === COPIES;
  // Files come later than the rest: nothing that is chosen already moves.
  return [
    ...found
      .filter((group) => !isCopy(group))
      .toSorted((a, b) => best(b.found) - best(a.found)),
    { name: "Files", found: files === null ? [] : filesFound(files, query) },
    ...found.filter(isCopy),
  ]
    .map(({ name, found }) =>
      shownOf(
        name,
        found.map(({ item, fit }) => ({ item, ranges: fit.ranges })),
        MAX_SHOWN,
      ),
    )
    .filter(isFilled);
};

const best = (found: readonly { fit: Fit }[]): number =>
  found[0]?.fit.score ?? -1;

const isFilled = ({ items }: PaletteGroup): boolean => items.length > 0;

const unmarked = (item: PaletteItem) => ({ item, ranges: [] });

const shownOf = (
  name: string,
  items: PaletteGroup["items"],
  max: number,
): PaletteGroup => ({
  name,
  items: items.slice(0, max),
  hidden: Math.max(0, items.length - max),
});

/** What fits only beside the label counts for less than what fits it. */
const itemFit = (query: string, { label, also }: PaletteItem): Fit | null => {
  const fit = fuzzyFit(query, label);
  if (fit !== null) return fit;
  const beside = also === "" ? null : fuzzyFit(query, `${label}\n${also}`);
  return beside === null ? null : { score: beside.score / 4, ranges: [] };
};

/** The server has ranked them; what fits is marked here. */
const filesFound = (
  { session, paths }: { session: string; paths: readonly string[] },
  query: string,
): { item: PaletteItem; fit: Fit }[] =>
  paths.map((path) => ({
    item: made(`file ${path}`, path, {
      look: { icon: "file" },
      deed: { kind: "go", path: workspacePath(session, path) },
    }),
    fit: fuzzyPathFit(query, path) ?? { score: 0, ranges: [] },
  }));

const commandItem = (id: CommandId): PaletteItem => {
  const { label, icon, detail, keys } = entryOf(id);
  return made(`command ${id}`, label, {
    look: { icon },
    detail: detail ?? null,
    keys: keys ?? null,
    deed: { kind: "command", id },
  });
};

const sessionItem = (
  session: Session,
  { agentName, now }: PaletteSources,
): PaletteItem => {
  const { id, agent, cwd, worktree_branch, last_active_at } = session;
  const agentIs = agentName(agent);
  return made(`session ${id}`, sessionName(session), {
    look: { glyph: stateWord(session).glyph },
    also: [agentIs, agent, cwd, worktree_branch ?? "", id].join("\n"),
    detail: `${agentIs}, ${age(last_active_at, now)}`,
    deed: { kind: "go", path: sessionPath(id) },
    more: [
      going(`${id} open`, "Conversation", "list", sessionPath(id)),
      going(`${id} changes`, "All changes", "diff", changesPath(id)),
      going(`${id} workspace`, "Workspace", "folder", workspacePath(id)),
      ...shellCommands(id).map(copyItem),
    ],
    session,
  });
};

/** The newest first. */
const turnItems = (session: string, line: readonly Mark[]): PaletteItem[] => {
  const turns = line.filter((mark) => mark.kind === "turn");
  const running =
    turns.findLast(({ outcome }) => outcome === "running" || outcome === "asks")
      ?.turn ?? null;
  return turns.toReversed().map((mark) => turnItem(session, mark, running));
};

const turnItem = (
  session: string,
  mark: TurnMark,
  running: number | null,
): PaletteItem => {
  const { turn, prompt } = mark;
  const refused = knotRefusals(mark, running);
  const more: [string, string | null, PaletteItem][] = [
    [
      "Diff",
      refused.diff,
      going(
        `turn ${turn} diff`,
        "Diff",
        "diff",
        changesPath(session, { to: turn }),
      ),
    ],
    [
      "Rewind",
      refused.rewind,
      going(
        `turn ${turn} rewind`,
        "Rewind to here",
        "rewind",
        rewindPath(session, turn),
      ),
    ],
    [
      "Fork",
      refused.fork,
      made(`turn ${turn} fork`, "Fork from here", {
        look: { icon: "fork" },
        deed: { kind: "fork", turn },
      }),
    ],
  ];
  const possible = more.filter(([, refusal]) => refusal === null);
  return made(`turn ${turn}`, `${turn} ${prompt}`, {
    look: { icon: "right" },
    detail: possible.map(([name]) => name).join(", ") || null,
    deed: { kind: "show_turn", turn },
    more: [
      made(`turn ${turn} show`, "Show", {
        look: { icon: "eye" },
        deed: { kind: "show_turn", turn },
      }),
      ...possible.map(([, , item]) => item),
    ],
  });
};

const taskItem = ({ id, title }: Task): PaletteItem =>
  made(`task ${id}`, title, {
    look: { icon: "tasks" },
    also: id,
    deed: { kind: "go", path: taskPath(id) },
  });

const copyItem = (text: string): PaletteItem =>
  made(`copy ${text}`, text, {
    look: { icon: "terminal" },
    detail: "copy",
    isCode: true,
    deed: { kind: "copy", text },
  });

const going = (
  id: string,
  label: string,
  icon: IconName,
  path: string,
): PaletteItem =>
  made(id, label, { look: { icon }, deed: { kind: "go", path } });

const made = (
  id: string,
  label: string,
  rest: Pick<PaletteItem, "look" | "deed"> & Partial<PaletteItem>,
): PaletteItem => ({
  also: "",
  detail: null,
  keys: null,
  isCode: false,
  more: [],
  session: null,
  ...rest,
  id,
  label: label.replaceAll(/\s+/g, " ").trim().slice(0, MAX_LABEL),
});
