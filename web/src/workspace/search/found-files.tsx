import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../kit/button.tsx";
import { counted } from "../../words/counts.ts";
import { workspaceAddress } from "../address.ts";
import { type FoundFile, foundPieces } from "./search-groups.ts";
import { legibleName, MAX_PATH } from "../../words/legible.ts";
import style from "./search.module.css";

/** So many files are drawn at first. */
const FIRST_FILES = 50;

/** The lines that were found, under their files. Each leads to its line. */
export const FoundFiles = ({
  session,
  since,
  files,
}: {
  session: string;
  since: number | null;
  files: readonly FoundFile[];
}) => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? files : files.slice(0, FIRST_FILES);
  return (
    <>
      {shown.map(({ path, matches }) => (
        <section
          key={path}
          className={style.file}
          aria-label={legibleName(path)}
        >
          <h2 className={style.path} title={legibleName(path, MAX_PATH)}>
            <span>{legibleName(path, MAX_PATH)}</span>
            <span className={style.count}>{matches.length}</span>
          </h2>
          <ul>
            {matches.map((match, at) => (
              <li key={at}>
                <Link
                  className={style.match}
                  href={workspaceAddress(session, path, {
                    since,
                    line: match.line,
                  })}
                >
                  <span className={style.number}>{match.line ?? "–"}</span>
                  <code>
                    {foundPieces(match).map(({ text, isMatch }, at) =>
                      isMatch ? <mark key={at}>{text}</mark> : text,
                    )}
                  </code>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown.length < files.length && (
        <Button size="small" kind="plain" onClick={() => setWhole(true)}>
          {`Show ${counted(files.length - shown.length, "more file")}`}
        </Button>
      )}
    </>
  );
};
