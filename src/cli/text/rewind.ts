/** What a rewind meets that no turn did, for a person. */
import type { HeadChange, RewindPlan } from "../../contract/checkpoint.ts";
import { oneLine } from "../sanitize.ts";
import { count } from "./age.ts";
import { changeList } from "./change.ts";
import type { Palette } from "./palette.ts";

export const personal = (
  plan: Pick<RewindPlan, "edits" | "keeps_edits" | "head">,
  palette: Palette,
): string => editsText(plan, palette) + headText(plan.head);

const editsText = (
  {
    edits = [],
    keeps_edits = false,
  }: Pick<RewindPlan, "edits" | "keeps_edits">,
  palette: Palette,
): string =>
  edits.length === 0
    ? ""
    : `${count(edits.length, "path")} changed between turns, not by the agent; ${keeps_edits ? "left as they are" : "undone with the rest"}:\n${changeList(edits, false, palette)}`;

const headText = (head: HeadChange | undefined): string => {
  if (head === undefined) return "";
  const { was, now, moves, commits, more_commits = 0 } = head;
  const which = moves ? "goes back to" : "stays; then it was at";
  const total = commits.length + more_commits;
  const listed = commits
    .map(({ id, subject }) => `  ${id.slice(0, 10)} ${oneLine(subject)}\n`)
    .join("");
  const since =
    total === 0
      ? ""
      : `${count(total, "commit")} since${moves ? ", not on HEAD any more" : ""}:\n${listed}${more_commits > 0 ? "  … and more\n" : ""}`;
  return `HEAD is at ${placeOf(now)} and ${which} ${placeOf(was)}.\n${since}`;
};

const placeOf = ({ head, branch }: HeadChange["now"]): string => {
  const commit = head?.slice(0, 10) ?? "no commit yet";
  return branch === null
    ? commit
    : `${commit} (${oneLine(branch.replace(/^refs\/heads\//, ""))})`;
};
