import { useEffect, useMemo, useRef, useState } from "react";
import type { Client } from "../../../src/client/client.ts";
import type {
  Diff,
  RewindPlan,
} from "../../../src/contract/session/checkpoint.ts";
import { FileCard } from "../diff/file-card.tsx";
import { FileList } from "../diff/file-list.tsx";
import { allFiles } from "../diff/files.ts";
import { DiffWait, useDiff } from "../diff/diffs.tsx";
import { PlusMinus } from "../diff/plus-minus.tsx";
import { reversed } from "../diff/reverse.ts";
import { refusalWords } from "../words/refusal-words.ts";
import { counted } from "../words/counts.ts";
import style from "./rewind.module.css";

/** Beyond so many rows files are closed at first. */
const MAX_OPEN_ROWS = 1_500;

/** The files that would change, and how: from what is there now to what the turn left. */
export const PlanFiles = ({
  session,
  plan,
  client,
}: {
  session: string;
  plan: RewindPlan;
  client: Pick<Client, "showDiff">;
}) => {
  const cards = useRef(new Map<string, HTMLElement>());
  const { diff, refusal } = useDiffSince(session, plan, client);
  const text = diff?.text ?? "";
  const { files: parsed, again } = useDiff(
    text === "" ? null : { kind: "unified", text },
  );
  const files = useMemo(() => {
    const changed = new Set(plan.changes.map(({ path }) => path));
    const back = (parsed ?? [])
      .map(reversed)
      .filter(({ path }) => changed.has(path));
    return allFiles(plan, back);
  }, [plan, parsed]);
  if (refusal === null && (diff === null || (text !== "" && parsed === null)))
    return <DiffWait again={again} label="Comparing files" />;
  const sum = (what: "added" | "removed"): number =>
    files.reduce((sum, file) => sum + file[what], 0);
  const rows = files.reduce((sum, file) => sum + file.rows.length, 0);
  return (
    <div className={style.split}>
      <FileList
        files={files}
        onChoose={(path) =>
          cards.current.get(path)?.scrollIntoView({ block: "start" })
        }
      />
      <div
        className={style.diffs}
        tabIndex={0}
        role="region"
        aria-label={`From now to turn ${plan.turn}`}
      >
        <p className={style.sum}>
          {counted(files.length, "file")}{" "}
          <PlusMinus added={sum("added")} removed={sum("removed")} />
          <span className={style.direction}>now → turn {plan.turn}</span>
        </p>
        {refusal !== null && (
          <p role="alert" className={style.refusal}>
            {refusal}
          </p>
        )}
        {files.map((file) => (
          <FileCard
            key={file.path}
            file={file}
            isOpenFirst={rows <= MAX_OPEN_ROWS && file.rows.length > 0}
            ref={(element) => {
              if (element === null) cards.current.delete(file.path);
              else cards.current.set(file.path, element);
            }}
          />
        ))}
      </div>
    </div>
  );
};

/** What happened since the turn: read backwards it is what the rewind does. The server compares with `now` only as the end. */
const useDiffSince = (
  session: string,
  plan: RewindPlan,
  client: Pick<Client, "showDiff">,
): { diff: Diff | null; refusal: string | null } => {
  const [told, setTold] = useState<{
    plan: RewindPlan;
    diff: Diff | null;
    refusal: string | null;
  } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    client
      .showDiff(session, { from: plan.checkpoint, to: "now", text: true })
      .then(
        (diff) => isCurrent && setTold({ plan, diff, refusal: null }),
        (error: unknown) =>
          isCurrent &&
          setTold({ plan, diff: null, refusal: refusalWords(error) }),
      );
    return () => {
      isCurrent = false;
    };
  }, [client, session, plan]);
  return told?.plan === plan ? told : { diff: null, refusal: null };
};
