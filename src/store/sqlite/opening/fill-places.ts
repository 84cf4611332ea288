/** Where sessions of an older release work, as their views tell. */
import {
  LOCAL,
  placeKey,
  placeOfKey,
} from "../../../contract/base/place-key.ts";
import { rowChecksum } from "../../checksum.ts";
import { isSound, plain, text } from "../base/row.ts";
import { at, parsed } from "../tables/json-path.ts";
import { isSoundSession } from "../tables/session-row.ts";
import type { Fill } from "./fill.ts";

/** The columns of the checksum before this migration, in their order. */
const before = [
  "id",
  "task_id",
  "cwd",
  "state",
  "deleted_at",
  "last_active_at",
  "last_seq",
  "view",
  "head",
  "checkpoints",
  "damaged_from",
  "last_wish_at",
];

/** A row that was damaged already is not made to look sound: whoever reads it makes it again from the journal. */
export const fillPlaces: Fill = (db) => {
  const one = db.prepare("SELECT * FROM sessions WHERE id = ?");
  const put = db.prepare(
    "UPDATE sessions SET place = ?, checksum = ? WHERE id = ?",
  );
  return (id) => {
    const row = one.get(id);
    // What got its checksums only now has the place in them.
    if (row === undefined || isSoundSession(row) || !isSound(row, before))
      return null;
    const place = placeIn(text(row, "view"));
    const checksum = rowChecksum(
      ...before.map((name) => plain(row, name)),
      place,
    );
    return () => put.run(place, checksum, id);
  };
};

const placeIn = (view: string): string => {
  const place = at(parsed(view), "place");
  const [kind, id] = [at(place, "kind"), at(place, "id")];
  const key =
    typeof kind === "string" && typeof id === "string"
      ? placeKey({ kind, id })
      : "";
  return placeOfKey(key) === null ? placeKey(LOCAL) : key;
};
