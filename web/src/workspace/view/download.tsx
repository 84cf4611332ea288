import { useState } from "react";
import { encodePath } from "../../../../src/contract/base/path-text.ts";
import { MAX_READ_BYTES } from "../../../../src/contract/base/file-limits.ts";
import { refusalWords } from "../../words/refusal-words.ts";
import { Button } from "../../kit/button.tsx";
import { bytes } from "../../words/counts.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import style from "./viewer.module.css";

/** Saves the file. One that no single answer holds is fetched piece by piece. */
export const Download = ({
  session,
  path,
  size,
  client,
}: {
  session: string;
  path: string;
  size: number;
  client: Pick<WorkspaceClient, "fileContent">;
}) => {
  const [got, setGot] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (size <= MAX_READ_BYTES)
    return (
      <a
        className={style.download}
        href={`/api/sessions/${session}/files/${encodePath(path)}`}
        download={name}
      >
        Download
      </a>
    );
  const fetchAll = async (): Promise<void> => {
    const pieces: Blob[] = [];
    let count = 0;
    for await (const piece of client.fileContent(session, path)) {
      pieces.push(new Blob([Uint8Array.from(piece)]));
      setGot((count += piece.length));
    }
    save(new Blob(pieces), name);
  };
  return (
    <>
      <Button
        size="small"
        kind="plain"
        disabled={got !== null}
        onClick={() => {
          setRefusal(null);
          setGot(0);
          fetchAll()
            .catch((error: unknown) => setRefusal(refusalWords(error)))
            .finally(() => setGot(null));
        }}
      >
        {got === null ? "Download" : `${bytes(got)} of ${bytes(size)}`}
      </Button>
      {refusal !== null && <span role="alert">{refusal}</span>}
    </>
  );
};

const save = (content: Blob, name: string): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
