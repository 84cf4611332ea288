import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { Highlighting } from "../code/highlighting.tsx";
import { DiffReading } from "../diff/diffs.tsx";
import { latePart } from "../late/late.tsx";
import { lazyScreen } from "../late/lazy-screen.tsx";
import { saveFile } from "../kit/save-file.ts";
import { useReadable } from "../kit/use-readable.ts";
import { routes, sessionPath } from "../routes.ts";
import { usePageTitle } from "../frame/page-title.tsx";
import { workspaceAddress, workspaceQuery } from "../workspace/address.ts";
import type { OpenSession } from "../store/open-session.ts";
import { refusalWords } from "../words/refusal-words.ts";
import {
  ConversationPane,
  type PaneHandle,
  type TurnsInView,
} from "./conversation-pane.tsx";
import { Header } from "./header.tsx";
import { sessionName } from "../words/session-name.ts";
import { LineColumn } from "./line-column.tsx";
import { isNarrowDesk } from "./narrow-desk.ts";
import { LiveRegion } from "./live-region.tsx";
import type { SessionDeps } from "./session-deps.ts";
import { type Shown, shownOf } from "./shown.ts";
import { useAncestors } from "./use-ancestors.ts";
import { useSessionCommands } from "./use-session-commands.ts";
import style from "./session-screen.module.css";

// Loaded when something is refused.
const RefusalBar = latePart({
  name: "The bar for this",
  load: async () => (await import("../rewind/refusal-bar.tsx")).RefusalBar,
});
const Changes = lazyScreen(
  (path) => shownOf(path)?.tab === "changes",
  async () => (await import("./changes.tsx")).Changes,
);
const Rewind = lazyScreen(
  (path) => shownOf(path)?.tab === "rewind",
  async () => (await import("../rewind/rewind.tsx")).Rewind,
);
const Workspace = lazyScreen(
  (path) => shownOf(path)?.tab === "workspace",
  async () => (await import("../workspace/workspace.tsx")).Workspace,
);

/** A session: its header, its line, and its conversation or its changes. */
export const SessionScreen = ({
  open,
  services,
  shown,
}: {
  open: OpenSession;
  services: SessionDeps;
  shown: Shown;
}) => {
  const view = useReadable(open);
  const { tab } = shown;
  const [, navigate] = useLocation();
  const pane = useRef<PaneHandle>(null);
  /** The turn that was chosen elsewhere: the conversation begins there. */
  const chosen = useRef<number>(null);
  useEffect(() => {
    if (tab !== "conversation" || chosen.current === null) return;
    pane.current?.showTurn(chosen.current);
    chosen.current = null;
  }, [tab]);
  const [inView, setInView] = useState<TurnsInView | null>(null);
  const [isFolded, setFolded] = useState(isNarrowDesk);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isFoldedInWorkspace, setFoldedInWorkspace] = useState(true);
  const inWorkspace = shown.tab === "workspace" ? shown : null;
  const since = workspaceQuery(useSearch()).since;
  const { session } = view;
  const agentName = services.agentName(session.agent);
  const name = sessionName(session);
  const ancestors = useAncestors(services.client, session);
  usePageTitle(name);
  const told = (work: Promise<void>): void => {
    setRefusal(null);
    work.catch((error: unknown) => setRefusal(refusalWords(error)));
  };
  // The same one as long as the session is: rows of the conversation are drawn again for another.
  const onFork = useCallback(
    (turn: number): void => {
      setRefusal(null);
      open.fork({ turn }).then(
        ({ id }) => navigate(sessionPath(id)),
        (error: unknown) => setRefusal(refusalWords(error)),
      );
    },
    [open, navigate],
  );
  const showTurn = (turn: number): void => {
    if (tab === "conversation") return pane.current?.showTurn(turn);
    chosen.current = turn;
    navigate(sessionPath(open.id));
  };
  useSessionCommands({
    open,
    view,
    tab,
    inView,
    foldLine: () =>
      inWorkspace === null
        ? setFolded(!isFolded)
        : setFoldedInWorkspace(!isFoldedInWorkspace),
    showTurn,
    fork: onFork,
  });
  return (
    <Highlighting>
      <DiffReading>
        <div className={style.screen}>
          <Header
            session={session}
            ancestors={ancestors}
            agentName={agentName}
            tab={tab === "rewind" ? "changes" : tab}
            onPause={session.is_agent_running ? () => told(open.pause()) : null}
            menu={{
              fork: async () => {
                const { id } = await open.fork();
                navigate(sessionPath(id));
              },
              exportFile: async () =>
                saveFile(
                  await services.client.exportSession(open.id),
                  `${open.id}.reprise`,
                ),
              agents: async () =>
                (await services.client.listAgents()).agents.filter(
                  ({ installed }) => installed,
                ),
              handOff: (agent) => open.handOff(agent),
              end: () => open.end(),
              remove: async () => {
                await open.remove();
                navigate(routes.home);
              },
            }}
          />
          <LiveRegion view={view} agentName={agentName} />
          {refusal !== null && (
            <RefusalBar
              waiting={<p role="alert">{refusal}</p>}
              text={refusal}
              onClose={() => setRefusal(null)}
              onDismiss={() => setRefusal(null)}
            />
          )}
          <div className={style.middle}>
            {tab !== "rewind" && (
              <LineColumn
                sessionId={open.id}
                marks={view.line}
                inView={
                  tab === "conversation"
                    ? inView
                    : inWorkspace !== null && since !== null
                      ? { from: since, to: since }
                      : null
                }
                isFolded={inWorkspace === null ? isFolded : isFoldedInWorkspace}
                onFold={inWorkspace === null ? setFolded : setFoldedInWorkspace}
                onTurn={(turn) => {
                  if (inWorkspace === null) showTurn(turn);
                  else
                    navigate(
                      workspaceAddress(open.id, inWorkspace.path, {
                        since: turn,
                      }),
                    );
                }}
                onFork={onFork}
              />
            )}
            {tab === "conversation" ? (
              <ConversationPane
                ref={pane}
                open={open}
                view={view}
                services={services}
                inView={inView}
                onTurnsInView={(turns) =>
                  setInView((known) =>
                    known?.from === turns.from && known.to === turns.to
                      ? known
                      : turns,
                  )
                }
                onFork={onFork}
                ancestors={ancestors.sessions}
              />
            ) : tab === "changes" ? (
              <Changes
                session={session}
                line={view.line}
                client={services.client}
              />
            ) : tab === "rewind" ? (
              <Rewind
                open={open}
                view={view}
                turn={shown.turn}
                agentName={agentName}
                client={services.client}
              />
            ) : (
              <Workspace view={view} path={shown.path} services={services} />
            )}
          </div>
        </div>
      </DiffReading>
    </Highlighting>
  );
};
