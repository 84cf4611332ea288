/** A rewind for a person: what it would do, or what it did. */
import type { Rewound } from "../../../contract/api/checkpoint-route.ts";
import type {
  HeadChange,
  RewindPlan,
} from "../../../contract/session/checkpoint.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { oneLine } from "../../terminal/sanitize.ts";
import { count } from "../../terminal/age.ts";
import { changeCount, changeList, unknownList } from "./change.ts";
import type { Palette } from "../../terminal/palette.ts";

export const wouldBe = (plan: RewindPlan, palette: Palette): string => {
  const to = `turn ${plan.turn} (${plan.checkpoint})`;
  const changes =
    plan.changes.length === 0
      ? `Going back to ${to} would change no files.\n`
      : `Going back to ${to} would change ${changeCount(plan.changes, plan.truncated)}:\n`;
  const conflicts =
    plan.conflicts.length === 0
      ? ""
      : `Refused as it is: others changed the same.\n${changeList(plan.conflicts, plan.more_conflicts !== undefined, palette)}`;
  return [
    changes,
    changeList(plan.changes, plan.truncated, palette),
    leftAlone(plan),
    editsText(plan, "plan", palette),
    headText(plan.head, "plan"),
    conflicts,
    memory(plan),
  ].join("");
};

export const hasBeen = (
  done: Rewound,
  palette: Palette,
  program: string,
): string =>
  [
    `${done.session.id} is back at turn ${done.turn} (${done.checkpoint}); ${changeCount(done.changes, done.truncated)} changed.\n`,
    changeList(done.changes, done.truncated, palette),
    leftAlone(done),
    editsText(done, "done", palette),
    headText(done.head, "done"),
    memory(done),
    undoText(done, program),
  ].join("");

/** What the rewind did is no edit of a person, so the undo asks only where somebody changed something since. */
const undoText = ({ session, undo }: Rewound, program: string): string =>
  undo === undefined
    ? ""
    : `\nUndo it with \`${program} session rewind ${session.id} ${undo.checkpoint}\`. ${undone(undo)}`;

const undone = ({
  turn,
  conversation,
}: NonNullable<Rewound["undo"]>): string => {
  if (turn === 0)
    return "That brings back the files; there was no conversation yet.";
  switch (conversation) {
    case "native":
      return "That brings back the files and what the agent remembered before the rewind.";
    case "injected":
      return `That brings back the files; the agent is told with the next prompt what was said up to turn ${turn}.`;
    case "fresh":
      return "That brings back the files, but not what the agent remembered before the rewind.";
    default:
      return unreachable(conversation);
  }
};

type When = "plan" | "done";

const leftAlone = ({ left_alone = [] }: RewindPlan): string =>
  unknownList(left_alone, "left alone");

/** Signs say what the rewind does to a path. To one that is kept it does nothing. */
const editsText = (
  { edits = [], keeps_edits = false }: RewindPlan,
  when: When,
  palette: Palette,
): string => {
  if (edits.length === 0) return "";
  const paths = `${count(edits.length, "path")} changed between turns, not by the agent`;
  const asIs = edits.length === 1 ? "as it is" : "as they are";
  if (keeps_edits)
    return `${paths}; ${when === "plan" ? "would be left" : "left"} ${asIs}:\n${edits.map(({ path }) => `  = ${oneLine(path)}\n`).join("")}`;
  return `${paths}; ${when === "plan" ? "would be undone with the rest" : "undone with the rest"}:\n${changeList(edits, false, palette)}`;
};

/** `now` is where HEAD was before the rewind, also when that is done. */
const headText = (head: HeadChange | undefined, when: When): string => {
  if (head === undefined) return "";
  const { was, now, moves, commits, more_commits = 0 } = head;
  const total = commits.length + more_commits;
  const listed = commits
    .map(({ id, subject }) => `  ${id.slice(0, 10)} ${oneLine(subject)}\n`)
    .join("");
  const gone =
    when === "plan"
      ? `, which would not be on HEAD any more; git keeps ${total === 1 ? "it" : "them"}`
      : `, not on HEAD any more; git keeps ${total === 1 ? "it" : "them"}`;
  const since =
    total === 0
      ? ""
      : `${count(total, "commit")} since${moves ? gone : ""}:\n${listed}${more_commits > 0 ? "  … and more\n" : ""}`;
  return `${headMove(headName(was), headName(now), moves, when)}\n${since}`;
};

const headMove = (
  was: string,
  now: string,
  moves: boolean,
  when: When,
): string => {
  if (!moves)
    return when === "plan"
      ? `HEAD would stay at ${now}; after that turn it was at ${was}.`
      : `HEAD stays at ${now}; after that turn it was at ${was}.`;
  return when === "plan"
    ? `HEAD is at ${now} and would go back to ${was}.`
    : `HEAD was at ${now} and is back at ${was}.`;
};

const headName = ({ head, branch }: HeadChange["now"]): string => {
  const commit = head?.slice(0, 10) ?? "no commit yet";
  return branch === null
    ? commit
    : `${commit} (${oneLine(branch.replace(/^refs\/heads\//, ""))})`;
};

const memory = ({ turn, conversation }: RewindPlan): string => {
  if (turn === 0) return "The agent then starts without a conversation.";
  switch (conversation) {
    case "native":
      return `The agent then goes on from its own session as it was after turn ${turn}.`;
    case "injected":
      return `The agent is then told what was said up to turn ${turn} with the next prompt.`;
    case "fresh":
      return "The agent will know nothing of what was said: it can neither restore its session nor be told.";
    default:
      return unreachable(conversation);
  }
};
