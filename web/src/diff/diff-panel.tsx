import { useEffect, useState } from "react";
import type { Diff } from "../../../src/contract/session/checkpoint.ts";
import { refusalWords } from "../words/refusal-words.ts";
import { counted } from "../words/counts.ts";
import { DiffWait, useDiff } from "./diffs.tsx";
import { FileCard } from "./file-card.tsx";
import { readFiles } from "./files.ts";
import { PlusMinus } from "./plus-minus.tsx";
import style from "./diff-panel.module.css";

/** More files than these are closed at first. */
const MAX_OPEN = 4;

/** The files of one diff, below each other. `ask` resolves with null where there is none; `of` says whose diff it is. */
export const DiffPanel = ({
  ask,
  of,
}: {
  ask: () => Promise<Diff | null>;
  of: string;
}) => {
  const [told, setTold] = useState<{
    of: () => Promise<Diff | null>;
    diff: Diff | null;
    refusal: string | null;
  } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    ask().then(
      (diff) => isCurrent && setTold({ of: ask, diff, refusal: null }),
      (error: unknown) =>
        isCurrent &&
        setTold({ of: ask, diff: null, refusal: refusalWords(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [ask]);
  const current = told?.of === ask ? told : null;
  const text = current?.diff?.text ?? "";
  const { files: parsed, again } = useDiff(
    text === "" ? null : { kind: "unified", text },
  );
  if (current === null || (text !== "" && parsed === null))
    return <DiffWait again={again} label="Comparing files" />;
  if (current.refusal !== null)
    return <p className={style.words}>{current.refusal}</p>;
  const files =
    current.diff === null ? [] : readFiles(current.diff, parsed ?? []);
  if (files.length === 0)
    return <p className={style.words}>Nothing changed.</p>;
  const sum = (what: "added" | "removed"): number =>
    files.reduce((total, file) => total + file[what], 0);
  return (
    <section className={style.panel} aria-label={`Changes, ${of}`}>
      <p className={style.words}>
        {counted(files.length, "file")}{" "}
        <PlusMinus added={sum("added")} removed={sum("removed")} />
        {current.diff?.truncated === true && " · there is more than is shown"}
      </p>
      {files.map((file) => (
        <FileCard
          key={file.path}
          file={file}
          of={of}
          isOpenFirst={files.length <= MAX_OPEN}
        />
      ))}
    </section>
  );
};
