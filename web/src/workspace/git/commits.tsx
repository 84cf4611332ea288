import { useState } from "react";
import { Age } from "../../kit/age.tsx";
import { Button } from "../../kit/button.tsx";
import { useLoaded } from "../../kit/use-loaded.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import { legibleName } from "../../words/legible.ts";
import style from "./git.module.css";

const STEP = 20;
const MAX = 200;

/** The newest commits. */
export const Commits = ({
  session,
  client,
}: {
  session: string;
  client: Pick<WorkspaceClient, "gitLog">;
}) => {
  const [limit, setLimit] = useState(STEP);
  const { value, refusal } = useLoaded(session, () =>
    client.gitLog(session, { limit: MAX }),
  );
  const shown = value?.commits.slice(0, limit) ?? [];
  return (
    <section aria-label="Newest commits">
      <h2 className={style.title}>Newest commits</h2>
      {refusal !== null && (
        <p className={style.meta} role="alert">
          {refusal}
        </p>
      )}
      <ol>
        {shown.map(({ id, subject, author, committed_at }) => (
          <li key={id} className={style.commit} title={id}>
            <span className={style.subject}>{legibleName(subject)}</span>
            <span className={style.small}>
              <code>{id.slice(0, 9)}</code>
              <span className={style.author}>{legibleName(author.name)}</span>
              <Age at={committed_at} />
            </span>
          </li>
        ))}
      </ol>
      {value !== null && shown.length < value.commits.length && (
        <Button
          size="small"
          kind="plain"
          onClick={() => setLimit(limit + STEP)}
        >
          Show older ones
        </Button>
      )}
    </section>
  );
};
