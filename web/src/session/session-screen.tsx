import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Highlighting } from "../code/highlighting.tsx";
import { DiffReading } from "../diff/diffs.tsx";
import { useReadable } from "../kit/use-readable.ts";
import type { Mark } from "../line/mark.ts";
import { routes, sessionPath } from "../routes.ts";
import type { OpenSession } from "../store/open-session.ts";
import { Changes } from "./changes.tsx";
import {
  ConversationPane,
  type PaneHandle,
  type TurnsInView,
} from "./conversation-pane.tsx";
import { Header } from "./header.tsx";
import { sessionName } from "./header-facts.ts";
import { LiveRegion } from "./live-region.tsx";
import type { SessionServices } from "./session-services.ts";
import style from "./session-screen.module.css";

export interface LineColumnProps {
  open: OpenSession;
  marks: readonly Mark[];
  inView: TurnsInView | null;
  isFolded: boolean;
  onTurn: (turn: number) => void;
  onFold: () => void;
}

/** A session: its header, its line, and its conversation or its changes. */
export const SessionScreen = ({
  open,
  services,
  tab,
  line,
}: {
  open: OpenSession;
  services: SessionServices;
  tab: "conversation" | "changes";
  /** The line beside it. */
  line: (props: LineColumnProps) => ReactNode;
}) => {
  const view = useReadable(open);
  const [, navigate] = useLocation();
  const pane = useRef<PaneHandle>(null);
  const [inView, setInView] = useState<TurnsInView | null>(null);
  const [isFolded, setFolded] = useState(false);
  const { session } = view;
  const agentName = services.agentName(session.agent);
  const name = sessionName(session);
  useEffect(() => {
    document.title = `${name} · Reprise`;
  }, [name]);
  return (
    <Highlighting>
      <DiffReading>
        <div className={style.screen}>
          <Header
            session={session}
            agentName={agentName}
            tab={tab}
            changedFiles={null}
            onPause={
              session.is_agent_running
                ? () => void open.pause().catch(() => undefined)
                : null
            }
            menu={{
              fork: async () => {
                const { id } = await open.fork({});
                navigate(sessionPath(id));
              },
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
          <div className={style.middle}>
            {line({
              open,
              marks: view.line,
              inView: tab === "conversation" ? inView : null,
              isFolded,
              onTurn: (turn) => {
                if (tab === "conversation") pane.current?.showTurn(turn);
                else navigate(sessionPath(open.id));
              },
              onFold: () => setFolded(!isFolded),
            })}
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
                onFoldLine={() => setFolded(!isFolded)}
              />
            ) : (
              <Changes
                session={session}
                line={view.line}
                client={services.client}
              />
            )}
          </div>
        </div>
      </DiffReading>
    </Highlighting>
  );
};
