import type { Change } from "../../../src/contract/session/checkpoint.ts";
import { number } from "../words/counts.ts";
import style from "./rewind.module.css";
import { legibleName, MAX_PATH } from "../words/legible.ts";

/** More paths are only counted. */
const SHOWN = 200;

/** Paths, one below the other, with a word for what becomes of each. */
export const PathList = ({
  label,
  changes,
  more = 0,
  word,
}: {
  label: string;
  changes: readonly Pick<Change, "path" | "kind">[];
  more?: number;
  word?: (kind: Change["kind"]) => string;
}) => {
  const left = more + Math.max(0, changes.length - SHOWN);
  return (
    <ul className={style.paths} aria-label={label}>
      {changes.slice(0, SHOWN).map(({ path, kind }) => (
        <li key={path}>
          <code>{legibleName(path, MAX_PATH)}</code>
          {word !== undefined && <span>{word(kind)}</span>}
        </li>
      ))}
      {left > 0 && <li>and {number(left)} more</li>}
    </ul>
  );
};
