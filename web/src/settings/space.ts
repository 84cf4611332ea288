/** What takes the space on the disk, by kind. */
import type { DiskUse } from "../../../src/contract/api/checkpoint-route.ts";
import { sessionName } from "../words/session-name.ts";

export interface SpaceRow {
  name: string;
  bytes: number;
}

export interface Space {
  totalBytes: number;
  /** What sessions would take alone: they share what is the same, so these are no parts of the total. */
  sessionsBytes: number;
  sessions: number;
  trashBytes: number;
  inTrash: number;
  /** The largest, wherever they are. */
  largest: readonly (SpaceRow & { id: string; isInTrash: boolean })[];
  /** Where there is more than one place. */
  places: readonly SpaceRow[];
  problems: readonly { place: string; detail: string }[];
}

const LARGEST = 8;

export const spaceOf = ({
  sessions,
  total_bytes,
  places = [],
}: DiskUse): Space => {
  const trash = sessions.filter(({ deleted_at }) => deleted_at !== null);
  const rest = sessions.filter(({ deleted_at }) => deleted_at === null);
  const named = places.map((each) => ({
    ...each,
    name: `${each.place.kind} ${each.place.id}`,
  }));
  const known = named.flatMap((each) =>
    "problem" in each ? [] : [{ name: each.name, bytes: each.total_bytes }],
  );
  return {
    totalBytes: total_bytes,
    sessionsBytes: sum(rest),
    sessions: rest.length,
    trashBytes: sum(trash),
    inTrash: trash.length,
    largest: sessions
      .filter(({ bytes }) => bytes > 0)
      .toSorted((one, other) => other.bytes - one.bytes)
      .slice(0, LARGEST)
      .map((session) => ({
        id: session.id,
        name: sessionName({
          ...session,
          first_prompt: session.first_prompt ?? null,
          last_words: null,
        }),
        bytes: session.bytes,
        isInTrash: session.deleted_at !== null,
      })),
    places: places.length > 1 ? known : [],
    problems: named.flatMap((each) =>
      "problem" in each
        ? [{ place: each.name, detail: each.problem.detail }]
        : [],
    ),
  };
};

const sum = (rows: readonly { bytes: number }[]): number =>
  rows.reduce((total, { bytes }) => total + bytes, 0);
