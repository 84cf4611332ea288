import type { TurnMark } from "../line/mark.ts";
import { PlusMinus } from "../diff/plus-minus.tsx";
import { Button, ButtonLink } from "../kit/button.tsx";
import { changesPath, rewindPath } from "../routes.ts";
import { clock } from "../words/age.ts";
import { counted } from "../words/counts.ts";
import { captureWords, outcomeWords, rewindRefusal } from "./foot-words.ts";
import style from "./foot.module.css";

/** What a turn came to, and what can be done from there. */
export const Foot = ({
  mark,
  startedAt,
  endedAt,
  newest,
  sessionId,
  onFork,
}: {
  mark: TurnMark;
  startedAt: string | null;
  endedAt: string | null;
  /** The newest turn of the session. */
  newest: number;
  sessionId: string;
  onFork: (turn: number) => void;
}) => {
  const { turn, outcome, changes } = mark;
  const capture = captureWords(mark.capture);
  const refusal = rewindRefusal(mark, { newest });
  return (
    // Every turn has the same buttons: the group says whose they are.
    <div className={style.foot} role="group" aria-label={`Turn ${turn}`}>
      <span
        {...(startedAt === null ? {} : { title: `Began ${clock(startedAt)}` })}
      >
        {outcomeWords(outcome, { startedAt, endedAt })}
      </span>
      {changes !== null && (
        <span className={style.part}>
          {changes.files === 0 ? (
            "no change"
          ) : (
            <>
              {counted(changes.files, "file")}{" "}
              <PlusMinus added={changes.added} removed={changes.removed} />
            </>
          )}
        </span>
      )}
      {capture !== null && (
        <span className={style.part} data-tone={capture.tone}>
          {capture.text}
        </span>
      )}
      <span className={style.acts}>
        {mark.capture !== null && changes?.files !== 0 && (
          <ButtonLink
            kind="plain"
            size="small"
            href={changesPath(sessionId, { to: turn })}
          >
            Diff
          </ButtonLink>
        )}
        {refusal === null ? (
          <ButtonLink
            kind="plain"
            size="small"
            href={rewindPath(sessionId, turn)}
          >
            Rewind
          </ButtonLink>
        ) : (
          <Button kind="plain" size="small" disabled title={refusal}>
            Rewind
          </Button>
        )}
        <Button
          kind="plain"
          size="small"
          disabled={mark.capture === null || mark.capture === "failed"}
          onClick={() => onFork(turn)}
        >
          Fork
        </Button>
      </span>
    </div>
  );
};
