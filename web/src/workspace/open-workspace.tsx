import { useState } from "react";
import { useSearch } from "wouter";
import { EmptyState } from "../kit/empty-state.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { classes } from "../kit/classes.ts";
import type { SessionDeps } from "../session/session-deps.ts";
import type { SessionView } from "../store/open-session.ts";
import { canOpenTerminal, canTypeIn } from "./access.ts";
import { workspaceQuery } from "./address.ts";
import { fileNews } from "./file-news.ts";
import { GitDiffView } from "./git/git-diff-view.tsx";
import { GitView } from "./git/git-view.tsx";
import { WorkspacePanel } from "./panel/workspace-panel.tsx";
import { SearchView } from "./search/search-view.tsx";
import { Side } from "./side/side.tsx";
import { SinceBar } from "./since/since-bar.tsx";
import { useChanges } from "./since/use-changes.ts";
import { FilesView } from "./tree/files-view.tsx";
import { useFileNews } from "./use-file-news.ts";
import { useLoaded } from "../kit/use-loaded.ts";
import { useTree } from "./use-tree.ts";
import { ChangesView } from "./view/changes-view.tsx";
import { Viewer } from "./view/viewer.tsx";
import style from "./workspace.module.css";

/** A workspace that can be looked at. On a phone the files and the chosen one are pages of their own. */
export const OpenWorkspace = ({
  view,
  path,
  services,
}: {
  view: SessionView;
  path: string;
  services: SessionDeps;
}) => {
  const { session, line } = view;
  const { client } = services;
  const query = workspaceQuery(useSearch());
  const [looks, setLooks] = useState(0);
  const news = useFileNews(fileNews(view), session.state === "RUNNING");
  const version = [
    looks,
    news,
    session.checkpoint?.id,
    session.agent_execution_id,
    view.status?.executor_status,
  ].join(" ");
  const { tree, isDirectory } = useTree(session.id, path, version, client);
  const changes = useChanges(session, query.since, news, client);
  const [isGitWanted, setGitWanted] = useState(false);
  // Where there is no repository, git refuses: it is asked when somebody wants to see what it says.
  const git = useLoaded(isGitWanted ? session.id : null, () =>
    client.gitStatus(session.id),
  );
  const refresh = (): void => {
    setLooks(looks + 1);
    changes.reload();
    git.reload();
  };
  const isGitDiff = query.shows === "git";
  const showsFile = isGitDiff || (path !== "" && isDirectory !== true);
  return (
    <div className={style.workspace} data-file={showsFile || undefined}>
      <div className={style.side}>
        <Side
          onRefresh={refresh}
          onChoose={(tab) => {
            if (tab === "git") setGitWanted(true);
          }}
          files={
            <>
              {session.checkpoint !== null && (
                <SinceBar
                  session={session.id}
                  path={path}
                  line={line}
                  first={session.parent?.turn ?? 0}
                  changes={changes}
                />
              )}
              <FilesView
                session={session.id}
                path={path}
                tree={tree}
                changes={changes}
              />
            </>
          }
          search={
            <SearchView
              session={session.id}
              since={query.since}
              client={client}
            />
          }
          git={
            <GitView
              session={session.id}
              since={query.since}
              status={git}
              client={client}
            />
          }
        />
      </div>
      <div className={style.main}>
        <section
          className={classes(style.view, !showsFile && style.nothing)}
          aria-label="The chosen file"
        >
          {isGitDiff ? (
            <GitDiffView
              session={session.id}
              path={path}
              query={query}
              version={looks}
              client={client}
            />
          ) : !showsFile ? (
            <EmptyState title="Choose a file" icon="file">
              Files, search and git are on the left.
            </EmptyState>
          ) : query.shows === "changes" ? (
            <ChangesView
              session={session.id}
              path={path}
              query={query}
              changes={changes}
            />
          ) : isDirectory === null ? (
            <LoadingState label="Looking for the file" />
          ) : (
            <Viewer
              key={path}
              session={session.id}
              path={path}
              query={query}
              changes={changes}
              news={news}
              client={client}
            />
          )}
        </section>
        <WorkspacePanel
          session={session}
          client={client}
          terminals={services.terminals}
          canOpenTerminal={canOpenTerminal(view)}
          canType={canTypeIn(view)}
        />
      </div>
    </div>
  );
};
