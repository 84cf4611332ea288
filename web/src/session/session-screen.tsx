import { type ReactNode, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Client } from "../../../src/client/client.ts";
import { Highlighting } from "../code/highlighting.tsx";
import { Flow, type FlowHandle } from "../conversation/flow.tsx";
import { RowsOf } from "../conversation/rows.ts";
import { DiffReading } from "../diff/diffs.tsx";
import { choicesOf } from "../dock/choices.ts";
import { Dock, type DockHandle } from "../dock/dock.tsx";
import { useReadable } from "../kit/use-readable.ts";
import type { Mark, TurnMark } from "../line/mark.ts";
import { changesPath, rewindPath, routes, sessionPath } from "../routes.ts";
import type { Drafts } from "../store/drafts.ts";
import type { OpenSession } from "../store/open-session.ts";
import { act } from "./act.ts";
import { Header } from "./header.tsx";
import { neighbourTurn, type SessionCommand } from "./keys.ts";
import { LiveRegion } from "./live-region.tsx";
import { useSessionKeys } from "./use-session-keys.ts";
import style from "./session-screen.module.css";

export interface TurnsInView {
  from: number;
  to: number;
}

export interface SessionScreenProps {
  open: OpenSession;
  agentName: string;
  client: Pick<Client, "changeSession" | "listAgents">;
  drafts: Pick<Drafts, "read" | "write" | "taken">;
  tryConnection: () => void;
  /** The line beside the conversation. */
  line: (props: {
    marks: readonly Mark[];
    inView: TurnsInView | null;
    isFolded: boolean;
    onTurn: (turn: number) => void;
    onFold: () => void;
  }) => ReactNode;
}

/** A session: its line, its conversation, its dock. */
export const SessionScreen = ({
  open,
  agentName,
  client,
  drafts,
  tryConnection,
  line,
}: SessionScreenProps) => {
  const view = useReadable(open);
  const [, navigate] = useLocation();
  const flow = useRef<FlowHandle>(null);
  const dock = useRef<DockHandle>(null);
  const [inView, setInView] = useState<TurnsInView | null>(null);
  const [isFolded, setFolded] = useState(false);
  const [rowsOf] = useState(() => new RowsOf());
  const { session, turns, plan } = view;
  const rows = useMemo(
    () => rowsOf.rows({ turns, plan }),
    [rowsOf, turns, plan],
  );
  const turnMarks = view.line.filter((mark) => mark.kind === "turn");
  const newest = newestOf(turnMarks);
  const forkFrom = async (turn?: number) => {
    const fork = await open.fork(turn === undefined ? {} : { turn });
    navigate(sessionPath(fork.id));
  };
  const context = useMemo(
    () => ({
      sessionId: open.id,
      cwd: session.cwd,
      newest,
      onFork: (turn: number) => void forkFrom(turn).catch(() => undefined),
    }),
    // The functions do the same as long as the session is the same one.
    [open, session.cwd, newest],
  );
  const draft = useMemo(
    () => ({
      read: () => drafts.read(open.id),
      write: (text: string) => void drafts.write(open.id, text),
      taken: (key: string) => drafts.taken(open.id, key),
    }),
    [drafts, open],
  );
  const showTurn = (turn: number) => flow.current?.showTurn(turn);
  const atTurn = inView?.to ?? newest;

  useSessionKeys((command: SessionCommand) => {
    switch (command) {
      case "prompt":
        return dock.current?.focusPrompt();
      case "permission":
        return dock.current?.focusPermission();
      case "previous_turn":
      case "next_turn": {
        const numbers = turnMarks.map(({ turn }) => turn);
        const step = command === "next_turn" ? 1 : -1;
        const turn = neighbourTurn(numbers, inView, step);
        return turn === null ? undefined : showTurn(turn);
      }
      case "diff":
        return navigate(
          changesPath(open.id, { from: Math.max(0, atTurn - 1), to: atTurn }),
        );
      case "rewind":
        return navigate(rewindPath(open.id, atTurn));
      case "fork":
        return context.onFork(atTurn);
      case "fold_line":
        return setFolded(!isFolded);
      case "latest":
        return flow.current?.showLatest();
    }
  });

  return (
    <Highlighting>
      <DiffReading>
        <main className={style.screen} id="main">
          <Header
            session={session}
            agentName={agentName}
            tab="conversation"
            changedFiles={null}
            onPause={
              session.is_agent_running
                ? () => void open.pause().catch(() => undefined)
                : null
            }
            menu={{
              fork: () => forkFrom(),
              agents: async () =>
                (await client.listAgents()).agents.filter(
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
          <div className={style.middle}>
            {line({
              marks: view.line,
              inView,
              isFolded,
              onTurn: showTurn,
              onFold: () => setFolded(!isFolded),
            })}
            <section className={style.conversation} aria-label="Conversation">
              <Flow
                ref={flow}
                rows={rows}
                context={context}
                hasEarlier={view.hasEarlier}
                isLoadingEarlier={view.isLoadingEarlier}
                onEarlier={() => void open.loadEarlier().catch(() => undefined)}
                onTurnsInView={(turns) =>
                  setInView((known) =>
                    known?.from === turns.from && known.to === turns.to
                      ? known
                      : turns,
                  )
                }
                onLatestSeen={() => {
                  if (document.visibilityState === "visible") open.markSeen();
                }}
              />
              <Dock
                ref={dock}
                standing={view.standing}
                permissions={view.permissions}
                queue={view.queue}
                agentName={agentName}
                cwd={session.cwd}
                draft={draft}
                choices={choicesOf(session.offered, session.at_next_start)}
                isRunning={session.state === "RUNNING"}
                actions={{
                  send: (content, key) => open.prompt(content, key),
                  permit: (id, option) => open.permit(id, option),
                  cancelPrompt: (id) => open.cancelPrompt(id),
                  cancelTurn: () => open.cancelTurn(),
                  choose: async (what, value) => {
                    await client.changeSession(open.id, { [what]: value });
                  },
                  act: (action) =>
                    act(action, open, { navigate, tryConnection }),
                }}
              />
            </section>
          </div>
        </main>
      </DiffReading>
    </Highlighting>
  );
};

const newestOf = (marks: readonly TurnMark[]): number =>
  marks.findLast(({ behind }) => !behind)?.turn ?? 0;
