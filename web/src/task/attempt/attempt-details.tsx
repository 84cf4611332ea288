import { useCallback } from "react";
import type { Client } from "../../../../src/client/client.ts";
import type { Spent } from "../../../../src/contract/base/budget.ts";
import type { Attempt } from "../../../../src/contract/task/task.ts";
import { DiffPanel } from "../../diff/diff-panel.tsx";
import { ButtonLink } from "../../kit/button.tsx";
import { sessionPath } from "../../routes.ts";
import { clock } from "../../words/age.ts";
import { gradeWords } from "../../words/grade.ts";
import { sentence } from "../../words/sentence.ts";
import { spentWords } from "./spent-words.ts";
import type { Track } from "./track.ts";
import { turnRange } from "./turn-range.ts";
import style from "./attempts.module.css";

/** What happened in an attempt, what it spent, and what it changed. */
export const AttemptDetails = ({
  attempt,
  track,
  spent,
  client,
}: {
  attempt: Attempt;
  track: Track;
  spent: Spent | null;
  client: Pick<Client, "showDiff" | "showPrompt">;
}) => {
  const { session_id, prompt_ids, resume, reason, state } = attempt;
  const prompts = prompt_ids.join();
  const ask = useCallback(async () => {
    if (session_id === null) return null;
    const ids = prompts === "" ? [] : prompts.split(",");
    const found = await Promise.all(
      ids.map((id) => client.showPrompt(session_id, id)),
    );
    const range = turnRange(found.map(({ turn }) => turn));
    return range === null
      ? null
      : client.showDiff(session_id, { ...range, text: true });
  }, [client, session_id, prompts]);
  return (
    <div className={style.details}>
      <ol className={style.story}>
        <li>
          <time>{clock(track.from, { seconds: true })}</time> It was asked for.
        </li>
        {track.marks.map(({ at, words }, i) => (
          <li key={i}>
            <time>{clock(at, { seconds: true })}</time> {words}
          </li>
        ))}
      </ol>
      {reason !== undefined && <p>{sentence(reason)}</p>}
      {resume !== undefined && <p>{gradeWords(resume).text}</p>}
      {spent !== null && <p className={style.spent}>{spentWords(spent)}</p>}
      {session_id !== null && (
        <ButtonLink size="small" href={sessionPath(session_id)}>
          Open session
        </ButtonLink>
      )}
      {state === "ended" && (
        <DiffPanel ask={ask} of={`attempt ${attempt.number}`} />
      )}
    </div>
  );
};
