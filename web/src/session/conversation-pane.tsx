import {
  type Ref,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Session } from "../../../src/contract/session/session.ts";
import { useLocation } from "wouter";
import { Flow, type FlowHandle } from "../conversation/flow.tsx";
import { RowsOf } from "../conversation/rows.ts";
import { choicesOf } from "../dock/choices.ts";
import { Dock, type DockHandle } from "../dock/dock.tsx";
import type { Kept } from "../dock/kept.ts";
import { latePart } from "../late/late.tsx";
import { useCommands } from "../overlay/use-commands.ts";
import type { OpenSession, SessionView } from "../store/open-session.ts";
import { runAction } from "./run-action.ts";
import { neighbourTurn, newestTurn } from "./keys.ts";
import type { SessionDeps } from "./session-deps.ts";
import style from "./conversation-pane.module.css";

// Loaded when somebody has rewound.
const RewoundNotice = latePart({
  name: "What the rewind did",
  load: async () =>
    (await import("../rewind/rewound-notice.tsx")).RewoundNotice,
});

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
  ancestors,
  ref,
}: {
  open: OpenSession;
  view: SessionView;
  services: SessionDeps;
  inView: TurnsInView | null;
  onTurnsInView: (turns: TurnsInView) => void;
  onFork: (turn: number) => void;
  /** The sessions that it was forked from. */
  ancestors: readonly Pick<Session, "cwd">[];
  ref?: Ref<PaneHandle>;
}) => {
  const [, navigate] = useLocation();
  const flow = useRef<FlowHandle>(null);
  const dock = useRef<DockHandle>(null);
  const [rowsOf] = useState(() => new RowsOf());
  const { session, turns, plan } = view;
  const { client, drafts, kept } = services;
  const rows = useMemo(
    () => rowsOf.rows({ turns, plan }),
    [rowsOf, turns, plan],
  );
  const newest = newestTurn(view.line) ?? 0;
  const context = useMemo(
    () => ({
      sessionId: open.id,
      directories: [session.cwd, ...ancestors.map(({ cwd }) => cwd)],
      newest,
      onFork,
    }),
    [open, session.cwd, ancestors, newest, onFork],
  );
  const draft = useMemo(
    () => ({
      read: () => drafts.read(open.id),
      write: (text: string) => drafts.write(open.id, text),
      taken: (key: string) => drafts.taken(open.id, key),
      attachments: {
        read: () => kept.read(open.id),
        write: (all: Kept) => kept.write(open.id, all),
      },
    }),
    [drafts, kept, open],
  );
  const workspace = useMemo(
    () => ({ client, session: open.id, cwd: session.cwd }),
    [client, open, session.cwd],
  );
  const showTurn = (turn: number) => flow.current?.showTurn(turn);
  useImperativeHandle(ref, () => ({ showTurn }));
  const toNeighbour = (step: -1 | 1) => {
    const turns = view.line.flatMap((mark) =>
      mark.kind === "turn" ? [mark.turn] : [],
    );
    const turn = neighbourTurn(turns, inView, step);
    if (turn !== null) showTurn(turn);
  };
  useCommands({
    prompt: () => dock.current?.focusPrompt(),
    ...(view.permissions.length > 0 && {
      permission: () => dock.current?.focusPermission(),
    }),
    previous_turn: () => toNeighbour(-1),
    next_turn: () => toNeighbour(1),
    latest: () => flow.current?.showLatest(),
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
          isOff={view.isComingBack}
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
        workspace={workspace}
        choices={
          session.status === "ended"
            ? []
            : choicesOf(session.offered, session.at_next_start)
        }
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
            runAction(action, open, {
              navigate,
              tryConnection: services.tryConnection,
            }),
        }}
      />
    </section>
  );
};
