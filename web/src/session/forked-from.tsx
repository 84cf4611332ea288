import { Link } from "wouter";
import type { Session } from "../../../src/contract/session/session.ts";
import { sessionPath } from "../routes.ts";
import { sessionName } from "../words/session-name.ts";
import type { Ancestors } from "./ancestors.ts";
import style from "./header.module.css";

/** Where a fork comes from: `Fork of Fix the login, after turn 3`. */
export const ForkedFrom = ({
  parent: { session_id, turn },
  ancestors: { sessions, isCut },
}: {
  parent: NonNullable<Session["parent"]>;
  ancestors: Ancestors;
}) => {
  const [session] = sessions;
  const where = turn === 0 ? "before turn 1" : `after turn ${turn}`;
  if (session === undefined && isCut)
    return (
      <span className={style.fork}>
        Fork of a session that was removed for good, {where}
      </span>
    );
  const name =
    session === undefined
      ? `Session ${session_id.slice(-6)}`
      : sessionName(session);
  return (
    <span className={style.fork} title={name}>
      Fork of <Link href={sessionPath(session_id)}>{name}</Link>, {where}
    </span>
  );
};
