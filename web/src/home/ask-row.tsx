import { Link } from "wouter";
import { PlusMinus } from "../diff/plus-minus.tsx";
import { Age } from "../kit/age.tsx";
import { classes } from "../kit/classes.ts";
import { Glyph } from "../kit/glyph.tsx";
import { useNow } from "../kit/now.tsx";
import { SmallLine } from "../line/small-line.tsx";
import { sessionPath } from "../routes.ts";
import { sessionName } from "../words/session-name.ts";
import { waitWords } from "../words/age.ts";
import { stateWord } from "../words/state-word.ts";
import { AskActions } from "./ask-actions.tsx";
import { askWords } from "./ask-words.ts";
import type { HomeDeps } from "./home-deps.ts";
import type { HomeItem } from "./sections.ts";
import { ROW } from "../frame/use-row-keys.ts";
import style from "./home.module.css";

/** A session that needs somebody, with the answers where they can be given at once. */
export const AskRow = ({
  item: { attention, isFirst, isLast },
  services,
}: {
  item: Extract<HomeItem, { kind: "ask" }>;
  services: HomeDeps;
}) => {
  const { session, reason } = attention;
  const now = useNow();
  const { what, quoted, where } = askWords(
    attention,
    services.agents.name(session.agent),
    now,
  );
  const asked =
    reason === "permission"
      ? session.pending_permissions[0]?.asked_at
      : undefined;
  const { glyph, word } = stateWord(session, reason === "finished");
  return (
    <article
      className={classes(
        style.row,
        style.ask,
        isFirst && style.first,
        isLast && style.last,
      )}
      aria-label={sessionName(session)}
      {...{ [ROW]: session.id }}
    >
      <Glyph state={glyph} label={word} />
      <div className={style.name}>
        <Link href={sessionPath(session.id)} className={style.what}>
          {what} {quoted !== null && <code>{quoted}</code>}
        </Link>
        <div className={style.where}>
          <b>{sessionName(session)}</b>
          <span>{where}</span>
          {reason === "finished" && session.changed_lines !== null && (
            <PlusMinus {...session.changed_lines} />
          )}
          {asked === undefined ? (
            <Age at={session.last_active_at} />
          ) : (
            <time dateTime={asked}>{waitWords(asked, now)}</time>
          )}
        </div>
      </div>
      <span className={style.line}>
        <SmallLine marks={session.line_tail} />
      </span>
      <AskActions
        key={askKey(attention)}
        attention={attention}
        services={services}
      />
    </article>
  );
};

/** Another question is another row of buttons: what was meant for one does not answer the next. */
const askKey = ({
  session,
  reason,
}: {
  session: { pending_permissions: readonly { id: string }[] };
  reason: string;
}): string => `${reason}-${session.pending_permissions[0]?.id ?? ""}`;
