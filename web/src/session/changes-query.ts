/** Which changes are looked at: those of one turn, between two turns, or all since the beginning. */
import type { Mark } from "../line/mark.ts";
import { changesPath } from "../routes.ts";

export interface ChangesQuery {
  from: string | undefined;
  to: string | undefined;
}

/** A moment is a turn's number, a checkpoint or `now`; anything else in the address is left out. */
export const changesQuery = (search: string): ChangesQuery => {
  const query = new URLSearchParams(search);
  const moment = (name: string): string | undefined => {
    const value = query.get(name) ?? "";
    return /^(\d{1,9}|chk_\d{1,15}|now)$/.test(value) ? value : undefined;
  };
  return { from: moment("from"), to: moment("to") };
};

/** What the server is asked: a turn alone means what that turn changed. */
export const askedDiff = (
  { from, to }: ChangesQuery,
  /** The turn that the session began with: that of its parent where it is a fork. */
  first: number,
): ChangesQuery =>
  from === undefined && to === undefined
    ? { from: String(first), to: "now" }
    : { from, to };

export const changesTitle = ({ from, to }: ChangesQuery): string => {
  if (from === undefined && to === undefined)
    return "All changes since the beginning";
  const only = from === undefined ? to : to === undefined ? from : null;
  if (only !== null)
    return only === "now"
      ? "Since the last capture"
      : `Changes of ${named(only)}`;
  return `From ${named(from)} to ${named(to)}`;
};

const named = (moment: string | undefined): string =>
  moment === undefined || moment === "now"
    ? "now"
    : moment.startsWith("chk_")
      ? moment
      : moment === "0"
        ? "the beginning"
        : `turn ${moment}`;

/** What can be chosen: all, and each turn that changed files, the newest first. */
export const changesChoices = (
  id: string,
  line: readonly Mark[],
): { path: string; name: string }[] => [
  { path: changesPath(id), name: "All changes since the beginning" },
  ...line
    .filter((mark) => mark.kind === "turn")
    .filter(({ changes }) => changes !== null && changes.files > 0)
    .toReversed()
    .map(({ turn, prompt }) => ({
      path: changesPath(id, { to: turn }),
      name: `Turn ${turn}: ${prompt.slice(0, 60)}`,
    })),
];
