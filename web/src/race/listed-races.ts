/** The names of races, as `/tasks` lists them: the newest pages, and older ones that somebody asked for. */
import type { Client } from "../../../src/client/client.ts";

type RacePage = Awaited<ReturnType<Client["listRaces"]>>;

export interface ListedRaces {
  names: readonly string[];
  next: string | null;
}

export const NO_RACES: ListedRaces = { names: [], next: null };

/** With the newest page as it is now. What was listed behind it stays, unless there may be others in between. */
export const withNewest = (
  listed: ListedRaces,
  page: RacePage,
): ListedRaces => {
  const names = namesOf(page);
  const last = listed.names.indexOf(names.at(-1) ?? "");
  return last === -1
    ? { names, next: page.next }
    : { ...listed, names: [...names, ...listed.names.slice(last + 1)] };
};

/** With the page behind the last one, where that is still the last one. */
export const withOlder = (
  listed: ListedRaces,
  after: string,
  page: RacePage,
): ListedRaces =>
  listed.next === after
    ? { names: [...listed.names, ...namesOf(page)], next: page.next }
    : listed;

const namesOf = ({ races }: RacePage): string[] =>
  races.map(({ name }) => name);
