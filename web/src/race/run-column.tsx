import { useCallback } from "react";
import type { Client } from "../../../src/client/client.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import { DiffPanel } from "../diff/diff-panel.tsx";
import { Button, ButtonLink } from "../kit/button.tsx";
import { Chip } from "../kit/chip.tsx";
import { Glyph } from "../kit/glyph.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { SmallLine } from "../line/small-line.tsx";
import { sessionPath } from "../routes.ts";
import { stateWord } from "../words/state-word.ts";
import style from "./race.module.css";

/** One run: its agent, how it stands, its line, what it changed, and the button that keeps it. */
export const RunColumn = ({
  number,
  agentName,
  session,
  isStarted,
  isKept,
  isCutOff,
  refusal,
  isBusy,
  client,
  onKeep,
}: {
  number: number;
  agentName: string;
  /** Null where it is not known, or not yet. */
  session: Session | null;
  isStarted: boolean;
  isKept: boolean;
  /** It was decided to keep it, and not all others went to the trash. */
  isCutOff: boolean;
  /** Why it cannot be kept. */
  refusal: string | null;
  isBusy: boolean;
  client: Pick<Client, "showDiff">;
  onKeep: () => void;
}) => (
  <section className={style.run} aria-label={`Run ${number}`}>
    <header className={style.head}>
      <h2>
        {number} · {agentName}
      </h2>
      {isKept && <Chip tone="green">Kept</Chip>}
    </header>
    {session === null ? (
      isStarted ? (
        <LoadingState label="Reading the run" />
      ) : (
        <p className={style.words}>
          It was not started, an older release has started it, or its session
          was removed for good.
        </p>
      )
    ) : (
      <Run number={number} session={session} client={client} />
    )}
    {(!isKept || isCutOff) && isStarted && (
      <div className={style.keep}>
        <Button
          kind={refusal === null ? "primary" : "default"}
          disabled={isBusy || refusal !== null}
          onClick={onKeep}
        >
          {isCutOff ? `Finish keeping run ${number}` : "Keep this one"}
        </Button>
        <span className={style.words}>
          {refusal ??
            (isCutOff
              ? "Keeping it was cut off: the others have not all gone to the trash."
              : "The others go to the trash.")}
        </span>
      </div>
    )}
  </section>
);

const Run = ({
  number,
  session,
  client,
}: {
  number: number;
  session: Session;
  client: Pick<Client, "showDiff">;
}) => {
  const { glyph, word } = stateWord(session);
  return (
    <>
      <p className={style.state}>
        <Glyph state={glyph} /> {word}
      </p>
      <SmallLine marks={session.line_tail} />
      <p className={style.words}>{session.last_words}</p>
      <ButtonLink size="small" href={sessionPath(session.id)}>
        Open session
      </ButtonLink>
      {session.turn_count > 0 && session.deleted_at === null && (
        <RunChanges
          key={session.turn_count}
          number={number}
          id={session.id}
          first={session.parent?.turn ?? 0}
          client={client}
        />
      )}
    </>
  );
};

const RunChanges = ({
  number,
  id,
  first,
  client,
}: {
  number: number;
  id: string;
  first: number;
  client: Pick<Client, "showDiff">;
}) => {
  const ask = useCallback(
    () => client.showDiff(id, { from: String(first), to: "now", text: true }),
    [client, id, first],
  );
  return <DiffPanel ask={ask} of={`run ${number}`} />;
};
