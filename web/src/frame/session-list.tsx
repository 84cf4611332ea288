import { Link } from "wouter";
import type { Session } from "../../../src/contract/session/session.ts";
import { Age } from "../kit/age.tsx";
import { classes } from "../kit/classes.ts";
import { Glyph } from "../kit/glyph.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { VisuallyHidden } from "../kit/visually-hidden.tsx";
import { sessionPath } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { isUnseen } from "../store/seen.ts";
import { legible } from "../words/legible.ts";
import { stateWord } from "../words/state-word.ts";
import { sessionName } from "../words/session-name.ts";
import style from "./session-list.module.css";

/** More than these are found at Home. */
const SHOWN = 60;

/** Sessions by the directory they work in. */
export const SessionList = ({
  stores,
  path,
}: {
  stores: Pick<PageStores, "sessions" | "seen">;
  path: string;
}) => {
  const { directories } = useReadable(stores.sessions);
  const seen = useReadable(stores.seen);
  let left = SHOWN;
  return (
    <div className={style.list}>
      {directories.map(({ path: directory, name, sessions }) => {
        const shown = sessions.slice(0, Math.max(0, left));
        left -= shown.length;
        return shown.length === 0 ? null : (
          <section key={directory} aria-label={legible(directory)}>
            <h2 className={style.directory} title={legible(directory)}>
              {name}
            </h2>
            <ul>
              {shown.map((session) => (
                <li key={session.id}>
                  <SessionLink
                    session={session}
                    isUnseen={isUnseen(session, seen)}
                    isCurrent={isOf(path, session.id)}
                  />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
};

const SessionLink = ({
  session,
  isUnseen,
  isCurrent,
}: {
  session: Session;
  isUnseen: boolean;
  isCurrent: boolean;
}) => {
  const { glyph, word } = stateWord(session, isUnseen);
  return (
    <Link
      href={sessionPath(session.id)}
      className={classes(style.session, isCurrent && style.current)}
      {...(isCurrent ? { "aria-current": "page" as const } : {})}
    >
      <Glyph state={glyph} />
      <span className={style.name}>{sessionName(session)}</span>
      <VisuallyHidden>{word}</VisuallyHidden>
      <Age at={session.last_active_at} className={style.age} />
    </Link>
  );
};

const isOf = (path: string, id: string): boolean =>
  path === sessionPath(id) || path.startsWith(`${sessionPath(id)}/`);
