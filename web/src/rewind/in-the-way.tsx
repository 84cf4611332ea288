import type { RewindPlan } from "../../../src/contract/session/checkpoint.ts";
import { counted } from "../words/counts.ts";
import { PathList } from "./path-list.tsx";
import { changeWord, type PersonalWork } from "./rewind-facts.ts";
import style from "./rewind.module.css";

/** What others changed since: it stands in the place of the button. */
export const Conflicts = ({
  plan: { conflicts, more_conflicts = 0, turn },
}: {
  plan: RewindPlan;
}) => (
  <section className={style.conflicts} aria-label="Conflicts">
    <h3>
      {counted(
        conflicts.length + more_conflicts,
        "file was changed by others since",
        "files were changed by others since",
      )}
    </h3>
    <p>
      This session cannot be rewound to turn {turn} without undoing what they
      did. Nothing was touched. Undo their changes first, or fork from turn{" "}
      {turn}.
    </p>
    <PathList
      label="Files that others changed"
      changes={conflicts}
      more={more_conflicts}
    />
  </section>
);

/** What a person did between turns, and the rewind would undo. */
export const Personal = ({
  work: { edits, commits, moreCommits, movesHead },
}: {
  work: PersonalWork;
}) => (
  <section className={style.personal} aria-label="Changed between turns">
    <h3>Somebody worked here between turns</h3>
    {edits.length > 0 && (
      <>
        <p>
          {counted(
            edits.length,
            "file that no turn changed would change",
            "files that no turn changed would change",
          )}{" "}
          with the others.
        </p>
        <PathList
          label="Files that somebody changed"
          changes={edits}
          word={changeWord}
        />
      </>
    )}
    {movesHead && (
      <>
        <p>
          HEAD of the repository would move back
          {commits.length === 0
            ? "."
            : `, behind ${counted(commits.length + moreCommits, "commit")}.`}
        </p>
        <ul className={style.paths} aria-label="Commits since">
          {commits.map(({ id, subject }) => (
            <li key={id}>
              <code>{id.slice(0, 9)}</code>
              <span>{subject}</span>
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
);
