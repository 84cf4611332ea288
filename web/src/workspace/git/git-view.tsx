import { useState } from "react";
import { Link } from "wouter";
import { ButtonLink } from "../../kit/button.tsx";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Icon } from "../../kit/icon.tsx";
import { LoadingState } from "../../kit/loading-state.tsx";
import type { GitStatus } from "../../../../src/contract/session/git-look.ts";
import { counted } from "../../words/counts.ts";
import { workspaceAddress } from "../address.ts";
import type { Loaded } from "../../kit/use-loaded.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import { Commits } from "./commits.tsx";
import {
  gitGroups,
  type GitLine,
  headWords,
  upstreamWords,
} from "./git-words.ts";
import { legibleName, MAX_PATH } from "../../words/legible.ts";
import style from "./git.module.css";

/** What git says of the workspace: its branch, what is not committed, and the newest commits. */
export const GitView = ({
  session,
  since,
  status,
  client,
}: {
  session: string;
  since: number | null;
  status: Loaded<GitStatus>;
  client: Pick<WorkspaceClient, "gitLog">;
}) => {
  const { value, refusal, reload } = status;
  if (value === null)
    return refusal === null ? (
      <LoadingState label="Asking git" />
    ) : (
      <EmptyState
        title="git says nothing here"
        icon="branch"
        actions={<Button onClick={reload}>Try again</Button>}
      >
        {refusal}
      </EmptyState>
    );
  const groups = gitGroups(value);
  const upstream = upstreamWords(value);
  return (
    <div className={style.git}>
      <div className={style.branch}>
        <Icon name="branch" size={14} />
        <code>{headWords(value)}</code>
      </div>
      {upstream !== null && <p className={style.meta}>{upstream}</p>}
      {groups.length === 0 ? (
        <p className={style.meta}>Everything is committed.</p>
      ) : (
        <ButtonLink
          size="small"
          href={workspaceAddress(session, "", { since, shows: "git" })}
        >
          All changes since the last commit
        </ButtonLink>
      )}
      {groups.map(({ name, entries }) => (
        <Group
          key={name}
          name={name}
          entries={entries}
          addressOf={({ path, shows }) =>
            workspaceAddress(session, path, { since, shows })
          }
        />
      ))}
      {value.truncated && <p className={style.meta}>There are more.</p>}
      {value.commit !== null && (
        <Commits
          // Another commit at the top is another list.
          key={value.commit}
          session={session}
          client={client}
        />
      )}
    </div>
  );
};

/** So many files of a group are drawn at first. */
const FIRST_ENTRIES = 100;

const Group = ({
  name,
  entries,
  addressOf,
}: {
  name: string;
  entries: readonly GitLine[];
  addressOf: (line: GitLine) => string;
}) => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, FIRST_ENTRIES);
  return (
    <section aria-label={name}>
      <h2 className={style.title}>
        {name} <span className={style.count}>{entries.length}</span>
      </h2>
      <ul>
        {shown.map((line) => (
          <li key={line.path}>
            <Link
              className={style.entry}
              href={addressOf(line)}
              title={`${nameOf(line.path)}: ${line.word}`}
            >
              <span className={style.sign} aria-label={line.word} role="img">
                {line.sign}
              </span>
              <span className={style.path}>
                {line.from !== null && `${nameOf(line.from)} → `}
                {nameOf(line.path)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < entries.length && (
        <Button size="small" kind="plain" onClick={() => setWhole(true)}>
          {`Show ${counted(entries.length - shown.length, "more file")}`}
        </Button>
      )}
    </section>
  );
};

const nameOf = (path: string): string => legibleName(path, MAX_PATH);
