import {
  type Ref,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import { useLocation } from "wouter";
import { Flow, type FlowHandle } from "../conversation/flow.tsx";
import { RowsOf } from "../conversation/rows.ts";
import { choicesOf } from "../dock/choices.ts";
import { Dock, type DockHandle } from "../dock/dock.tsx";
import type { TurnMark } from "../line/mark.ts";
import { changesPath, rewindPath } from "../routes.ts";
import { RewoundNotice } from "../rewind/rewound-notice.tsx";
import type { OpenSession, SessionView } from "../store/open-session.ts";
import { act } from "./act.ts";
import { neighbourTurn, type SessionCommand } from "./keys.ts";
import type { SessionDeps } from "./session-deps.ts";
import { useSessionKeys } from "./use-session-keys.ts";
import style from "./conversation-pane.module.css";

export interface TurnsInView {
  from: number;
  to: number;
}

export interface PaneHandle {
  showTurn(turn: number): void;
}

/** What was said, and the dock below it. */
export const ConversationPane = ({
  open,
  view,
  services,
  inView,
  onTurnsInView,
  onFork,
  onFoldLine,
  ref,
}: {
  open: OpenSession;
  view: SessionView;
  services: SessionDeps;
  inView: TurnsInView | null;
  onTurnsInView: (turns: TurnsInView) => void;
  onFork: (turn: number) => void;
  onFoldLine: () => void;
  ref?: Ref<PaneHandle>;
}) => {
  const [, navigate] = useLocation();
  const flow = useRef<FlowHandle>(null);
  const dock = useRef<DockHandle>(null);
  const [rowsOf] = useState(() => new RowsOf());
  const { session, turns, plan } = view;
  const { client, drafts } = services;
  const rows = useMemo(
    () => rowsOf.rows({ turns, plan }),
    [rowsOf, turns, plan],
  );
  const turnMarks = view.line.filter((mark) => mark.kind === "turn");
  const newest = newestOf(turnMarks);
  const context = useMemo(
    () => ({
      sessionId: open.id,
      cwd: session.cwd,
      newest,
      onFork,
    }),
    [open, session.cwd, newest, onFork],
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
  useImperativeHandle(ref, () => ({ showTurn }));
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
        return navigate(changesPath(open.id, { to: atTurn }));
      case "rewind":
        return navigate(rewindPath(open.id, atTurn));
      case "fork":
        return context.onFork(atTurn);
      case "fold_line":
        return onFoldLine();
      case "latest":
        return flow.current?.showLatest();
    }
  });

  return (
    <section className={style.pane} aria-label="Conversation">
      <Flow
        ref={flow}
        rows={rows}
        context={context}
        hasEarlier={view.hasEarlier}
        isLoadingEarlier={view.isLoadingEarlier}
        onEarlier={() => void open.loadEarlier().catch(() => undefined)}
        onTurnsInView={onTurnsInView}
        onLatestSeen={() => {
          if (document.visibilityState === "visible") open.markSeen();
        }}
      />
      {view.rewound !== null && (
        <RewoundNotice
          key={view.rewound.undo}
          open={open}
          rewound={view.rewound}
        />
      )}
      <Dock
        ref={dock}
        standing={view.standing}
        permissions={view.permissions}
        closedQuestion={view.closedQuestion}
        queue={view.queue}
        agentName={services.agentName(session.agent)}
        cwd={session.cwd}
        draft={draft}
        choices={choicesOf(session.offered, session.at_next_start)}
        isRunning={session.state === "RUNNING"}
        actions={{
          send: (content, key) => open.prompt(content, key),
          permit: (id, option) => open.permit(id, option),
          forgetQuestion: () => open.forgetQuestion(),
          cancelPrompt: (id) => open.cancelPrompt(id),
          cancelTurn: () => open.cancelTurn(),
          choose: async (what, value) => {
            await client.changeSession(open.id, { [what]: value });
          },
          act: (action) =>
            act(action, open, {
              navigate,
              tryConnection: services.tryConnection,
            }),
        }}
      />
    </section>
  );
};

const newestOf = (marks: readonly TurnMark[]): number =>
  marks.findLast(({ behind }) => !behind)?.turn ?? 0;
