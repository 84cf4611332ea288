import type {
  BrokenCheckpoint,
  Collected,
  Verification,
} from "../../../contract/api/checkpoint-route.ts";
import { oneLine } from "../../terminal/sanitize.ts";
import { count } from "../../terminal/age.ts";
import { size } from "../../terminal/size.ts";

/** How many checkpoints are named. */
const SHOWN = 20;

/** What was found when everything was read, and what damage stands in the way of a collection. */
export const damage = ({
  verification,
  blocked_by = [],
  damaged_sessions = [],
  dry_run,
}: Collected): string =>
  [
    ...(verification === undefined
      ? []
      : verificationLines(verification, dry_run)),
    ...(blocked_by.length === 0 ? [] : blocked(blocked_by)),
    ...(damaged_sessions.length === 0
      ? []
      : blockedBySessions(damaged_sessions)),
  ]
    .map((line) => `${line}\n`)
    .join("");

const verificationLines = (
  { packs, bytes, objects, damaged, checkpoints, broken }: Verification,
  dry_run: boolean,
): string[] => {
  const read = `Read ${count(packs, "pack")} (${size(bytes)}) with ${count(objects + damaged, "object")}`;
  const all = `all of ${count(checkpoints, "checkpoint")} can be restored.`;
  if (damaged === 0 && broken.length === 0)
    return [`${read}: nothing is damaged, and ${all}`];
  return [
    `${read}: ${damaged} of them damaged.`,
    broken.length === 0
      ? `No checkpoint needs what is damaged: ${all}`
      : `Of ${count(checkpoints, "checkpoint")} these cannot be restored as they were:`,
    ...named(broken, lostPaths),
    ...(dry_run ? [] : [HEALS]),
  ];
};

const HEALS =
  "What is damaged is not relied on any more: what is still in a workspace is stored again with its next checkpoint.";

const lostPaths = ({ lost, paths }: BrokenCheckpoint): string => {
  const names = paths.map(oneLine).join(", ");
  const more = lost > paths.length ? ", …" : "";
  return `${count(lost, "path")} lost: ${names}${more}`;
};

type Named = Omit<BrokenCheckpoint, "lost" | "paths">;

const blocked = (checkpoints: readonly Named[]): string[] => [
  "Nothing can be freed: a directory of these checkpoints cannot be read, so what they need is not known. Delete their sessions to free the rest.",
  ...named(checkpoints, () => "cannot be read"),
];

const blockedBySessions = (sessions: readonly string[]): string[] => [
  "Nothing can be freed: the journals of these sessions are damaged, so which checkpoints they need is not known. Keep what you want of them (`reprise session export ID FILE`), then delete them.",
  ...sessions.slice(0, SHOWN).map((id) => `  ${id}`),
  ...more(sessions.length - SHOWN),
];

const named = <B extends Named>(
  checkpoints: readonly B[],
  what: (checkpoint: B) => string,
): string[] => {
  const lines = checkpoints.slice(0, SHOWN).map((each) => {
    const part = each.of === "workspace" ? "" : ", the agent's own files";
    return `  ${each.session_id}  turn ${each.turn} (${each.checkpoint}${part}): ${what(each)}`;
  });
  return [...lines, ...more(checkpoints.length - SHOWN)];
};

const more = (rest: number): string[] =>
  rest > 0 ? [`  … and ${rest} more (--json)`] : [];
