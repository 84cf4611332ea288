import { useLocation } from "wouter";
import { Button, ButtonLink } from "../kit/button.tsx";
import { useCommands } from "../overlay/use-commands.ts";
import { changesPath, rewindPath } from "../routes.ts";
import { PlusMinus } from "../diff/plus-minus.tsx";
import { counted } from "../words/counts.ts";
import { outcomeWord } from "../words/mark-words.ts";
import { legible } from "../words/legible.ts";
import { knotRefusals } from "../words/knot-refusals.ts";
import type { TurnMark } from "./mark.ts";
import style from "./knot-card.module.css";

/** What a turn was asked, what it changed, and what can be done from there. */
export const KnotCard = ({
  session,
  mark,
  running,
  onFork,
}: {
  session: string;
  mark: TurnMark;
  /** The turn that goes on now. */
  running: number | null;
  onFork: (turn: number) => void;
}) => {
  const [, navigate] = useLocation();
  const refused = knotRefusals(mark, running);
  const diff = changesPath(session, { to: mark.turn });
  const rewind = rewindPath(session, mark.turn);
  // Where it cannot be done, the key does nothing, rather than something with another turn.
  const unless = (refusal: string | null, run: () => void) => () =>
    refusal === null ? run() : undefined;
  useCommands(
    {
      diff: unless(refused.diff, () => navigate(diff)),
      fork: unless(refused.fork, () => onFork(mark.turn)),
      rewind: unless(refused.rewind, () => navigate(rewind)),
    },
    true,
  );
  const reasons = new Set(
    Object.values(refused).filter((reason) => reason !== null),
  );
  return (
    <div className={style.card} role="group" aria-label={`Turn ${mark.turn}`}>
      <div className={style.head}>
        <b>Turn {mark.turn}</b>
        <span>{outcomeWord(mark)}</span>
      </div>
      <p className={style.prompt}>{legible(mark.prompt)}</p>
      {mark.changes !== null && (
        <p className={style.changes}>
          {mark.changes.files === 0 ? (
            "no change"
          ) : (
            <>
              {counted(mark.changes.files, "file")}{" "}
              <PlusMinus {...mark.changes} />
            </>
          )}
        </p>
      )}
      <div className={style.actions}>
        {refused.diff === null ? (
          <ButtonLink size="small" href={diff}>
            Diff
          </ButtonLink>
        ) : (
          <Button size="small" disabled title={refused.diff}>
            Diff
          </Button>
        )}
        <Button
          size="small"
          disabled={refused.fork !== null}
          {...(refused.fork === null ? {} : { title: refused.fork })}
          onClick={() => onFork(mark.turn)}
        >
          Fork from here
        </Button>
        {refused.rewind === null ? (
          <ButtonLink size="small" href={rewind}>
            Rewind to here
          </ButtonLink>
        ) : (
          <Button size="small" disabled title={refused.rewind}>
            Rewind to here
          </Button>
        )}
      </div>
      {[...reasons].map((reason) => (
        <p key={reason} className={style.reason}>
          {reason}
        </p>
      ))}
    </div>
  );
};
