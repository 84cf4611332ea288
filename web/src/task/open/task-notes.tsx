import { useEffect } from "react";
import type { Task } from "../../../../src/contract/task/task.ts";
import { AskActions } from "../../home/ask-actions.tsx";
import { askWords } from "../../home/ask-words.ts";
import { ButtonLink } from "../../kit/button.tsx";
import { useNow } from "../../kit/now.tsx";
import { useSelected } from "../../kit/use-readable.ts";
import { sessionPath } from "../../routes.ts";
import type { PageStores } from "../../start/page-stores.ts";
import { notesOf } from "./notes.ts";
import style from "./task-notes.module.css";

/** What somebody should know now: a question of the agent, what it waits for, what is used up. */
export const TaskNotes = ({
  task,
  stores,
}: {
  task: Task;
  stores: PageStores;
}) => {
  const now = useNow();
  const { sessions, client, agents } = stores;
  const { session_id } = task;
  const session = useSelected(sessions, ({ byId }) =>
    session_id === null ? undefined : byId.get(session_id),
  );
  const isKnown = session !== undefined;
  useEffect(() => {
    // It may be on a page of the list that nobody has read.
    if (session_id === null || isKnown) return;
    client.showSession(session_id).then(
      (found) => sessions.put(found),
      () => undefined,
    );
  }, [client, sessions, session_id, isKnown]);
  const notes = notesOf(task, session ?? null, {
    now,
    agentName: (agent) => agents.name(agent),
  });
  const [permission] = session?.pending_permissions ?? [];
  if (notes.length === 0 && permission === undefined) return null;
  return (
    <section className={style.notes} aria-label="How it stands">
      {session !== undefined && permission !== undefined && (
        <div className={style.note} data-tone="amber">
          <Question
            words={askWords(
              { session, reason: "permission" },
              agents.name(session.agent),
              now,
            )}
          />
          <AskActions
            key={permission.id}
            attention={{ session, reason: "permission" }}
            services={stores}
          />
        </div>
      )}
      {notes.map(({ text, tone }) => (
        <div key={text} className={style.note} data-tone={tone}>
          <p>{text}</p>
          {session_id !== null && tone === "red" && (
            <ButtonLink size="small" href={sessionPath(session_id)}>
              Open session
            </ButtonLink>
          )}
        </div>
      ))}
    </section>
  );
};

const Question = ({
  words: { what, quoted, where },
}: {
  words: ReturnType<typeof askWords>;
}) => (
  <p>
    <strong>{what}</strong> {quoted !== null && <code>{quoted}</code>}
    <span className={style.where}>{where}</span>
  </p>
);
