import { Link } from "wouter";
import { PlusMinus } from "../diff/plus-minus.tsx";
import { Age } from "../kit/age.tsx";
import { classes } from "../kit/classes.ts";
import { Glyph } from "../kit/glyph.tsx";
import { useNow } from "../kit/now.tsx";
import { SmallLine } from "../line/small-line.tsx";
import { sessionPath } from "../routes.ts";
import { placeName } from "../store/directories.ts";
import { quotaWait, waitsForQuota } from "../words/quota-words.ts";
import { sessionName } from "../words/session-name.ts";
import { stateWord } from "../words/state-word.ts";
import { AskRow } from "./ask-row.tsx";
import type { HomeDeps } from "./home-deps.ts";
import type { HomeItem } from "./sections.ts";
import { ROW } from "../frame/use-row-keys.ts";
import style from "./home.module.css";

/** A session that needs nobody: glyph, name over last words, short line, agent, branch, changed lines, age. */
export const SessionRow = ({
  item: { session, isFirst, isLast },
  services,
}: {
  item: Extract<HomeItem, { kind: "session" }>;
  services: HomeDeps;
}) => {
  const { glyph, word } = stateWord(session);
  const name = sessionName(session);
  const wait = quotaWait(session, useNow());
  // It needs nobody, and can be sent on or dropped all the same.
  if (wait !== null && waitsForQuota(session))
    return (
      <AskRow
        item={{
          kind: "ask",
          key: session.id,
          isFirst,
          isLast,
          attention: { session, reason: "interrupted" },
        }}
        services={services}
      />
    );
  return (
    <Link
      href={sessionPath(session.id)}
      className={classes(
        style.row,
        style.session,
        isFirst && style.first,
        isLast && style.last,
      )}
      {...{ [ROW]: session.id }}
    >
      <Glyph state={glyph} label={word} />
      <span className={style.name}>
        <span className={style.title}>{name}</span>
        <span className={style.words}>
          {wait === null ? session.last_words : `${wait.title}. ${wait.what}.`}
        </span>
      </span>
      <span className={style.line}>
        <SmallLine marks={session.line_tail} />
      </span>
      <span className={style.fact}>{services.agents.name(session.agent)}</span>
      <span className={style.fact}>{placeName(session)}</span>
      <span className={style.changed}>
        {session.changed_lines !== null && (
          <PlusMinus {...session.changed_lines} />
        )}
      </span>
      <Age at={session.last_active_at} className={style.age} />
    </Link>
  );
};
