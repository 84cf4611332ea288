import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { ShellLink } from "../../../src/client/live/shell-connection.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { latePart } from "../late/late.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { shelfOf } from "../store/storage.ts";
import { runningWords, shellName } from "./shell-words.ts";
import { type ShellsDeps, ShellsStore } from "./shells-store.ts";
import { TerminalTabs } from "./terminal-tabs.tsx";
import type { TerminalHandle } from "./terminal-view.tsx";
import style from "./terminals.module.css";

const TerminalView = latePart({
  name: "The terminal",
  load: async () => (await import("./terminal-view.tsx")).default,
  look: "screen",
  waiting: <LoadingState label="Opening the terminal" />,
});
const CloseQuestion = latePart({
  name: "The question whether to close it",
  load: async () => (await import("./close-question.tsx")).default,
  look: "over",
});

export interface TerminalsProps {
  sessionId: string;
  client: ShellsDeps["client"];
  live: ShellLink;
  /** Whether shells can be opened just now. */
  canOpen: boolean;
  /** Whether they can be typed into, where the way to them is there. */
  canType: boolean;
  /** At the end of the bar. */
  actions?: ReactNode;
}

/** The terminals of a session. */
export const Terminals = (props: TerminalsProps) => (
  <TerminalsOf key={props.sessionId} {...props} />
);

const TerminalsOf = ({
  sessionId,
  client,
  live,
  canOpen,
  canType,
  actions,
}: TerminalsProps) => {
  const [store] = useState(
    () =>
      new ShellsStore(sessionId, {
        client,
        shelf: shelfOf(() => localStorage),
        newKey: () => crypto.randomUUID(),
      }),
  );
  const view = useReadable(store);
  const panelId = useId();
  const terminal = useRef<TerminalHandle>(null);
  const tab = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState<{ id: string; text: string } | null>(
    null,
  );
  useLoading(store, live);
  const shells = view.shells ?? [];
  const chosen = shells.find(({ id }) => id === view.chosen) ?? null;
  /** Whoever opens a terminal types into it next: it takes the focus when it is there. */
  const isAwaited = useRef(false);
  const opening = async (work: Promise<void>): Promise<void> => {
    isAwaited.current = true;
    await work;
    if (store.get().refusal !== null) isAwaited.current = false;
  };
  const room = () => terminal.current?.room() ?? null;
  const open = () => void opening(store.open(room()));
  const close = async (id: string) => {
    const shell = shells.find((each) => each.id === id);
    const running = await store.programsIn(id);
    if (running === "unknown")
      setAsking({ id, text: "Something may still run in it." });
    else if (running.length > 0 && shell !== undefined)
      setAsking({ id, text: runningWords(running) });
    else await store.close(id);
  };
  if (view.shells === null)
    return view.trouble === null ? (
      <LoadingState label="Looking for terminals" />
    ) : view.trouble.isFinal ? (
      <EmptyState title="No terminals here" icon="terminal">
        {view.trouble.text}
      </EmptyState>
    ) : (
      <ErrorState
        title="The terminals could not be read"
        retry={() => void store.load()}
      >
        {view.trouble.text}
      </ErrorState>
    );
  return (
    <section className={style.terminals} aria-label="Terminals">
      <div className={style.bar}>
        {shells.length > 0 && (
          <TerminalTabs
            ref={tab}
            shells={shells}
            chosen={view.chosen}
            panelId={panelId}
            onChoose={(id) => {
              store.choose(id);
              void store.load();
            }}
          />
        )}
        <IconButton
          icon="plus"
          label="New terminal"
          disabled={!canOpen || view.isOpening}
          onClick={open}
        />
        <span className={style.note}>
          {canOpen
            ? "Terminals outlive this page and the server"
            : "Terminals open when the session is ready"}
        </span>
        {chosen !== null && (
          <>
            <IconButton
              icon="search"
              label="Find in the terminal"
              onClick={() => terminal.current?.search()}
            />
            <IconButton
              icon="x"
              label={`Close ${shellName(chosen)}`}
              onClick={() => void close(chosen.id)}
            />
          </>
        )}
        {actions}
      </div>
      {view.refusal !== null && (
        <p className={style.refusal} role="alert">
          {view.refusal}
        </p>
      )}
      <div
        id={panelId}
        className={style.panel}
        {...(chosen === null
          ? {}
          : { role: "tabpanel", "aria-label": shellName(chosen) })}
      >
        {chosen === null ? (
          <EmptyState
            title="No terminal is open"
            icon="terminal"
            actions={
              <Button onClick={open} disabled={!canOpen || view.isOpening}>
                Open a terminal
              </Button>
            }
          >
            {canOpen
              ? "A terminal opens in the workspace of this session. It goes on when this page or the server ends."
              : "Terminals open when the session is ready."}
          </EmptyState>
        ) : (
          <TerminalView
            key={chosen.id}
            ref={terminal}
            shell={chosen}
            live={live}
            canOpen={canOpen}
            isReadOnly={!canType}
            onTitled={(title) => store.titled(chosen.id, title)}
            onEnded={(end) => store.ended(chosen.id, end)}
            onGone={() => store.forget(chosen.id)}
            onLeave={() => tab.current?.focus()}
            onReady={() => {
              if (isAwaited.current) terminal.current?.focus();
              isAwaited.current = false;
            }}
            onOpenAgain={() => void opening(store.openAgain(chosen.id, room()))}
            onClose={() => void close(chosen.id)}
          />
        )}
      </div>
      {asking !== null && (
        <CloseQuestion
          name={shellName(
            shells.find(({ id }) => id === asking.id) ?? {
              title: null,
              command: "shell",
            },
          )}
          running={asking.text}
          onDismiss={() => setAsking(null)}
          onCancel={() => setAsking(null)}
          onClose={() => {
            setAsking(null);
            void store.close(asking.id);
          }}
        />
      )}
    </section>
  );
};

/** Reads the list when it is first shown, when the server is back, and when somebody comes back to the page. */
const useLoading = (store: ShellsStore, live: ShellLink): void => {
  useEffect(() => {
    const load = () => void store.load();
    load();
    const stop = live.subscribe(() => {
      const { kind } = live.state;
      if (kind === "connected" || kind === "back") load();
    });
    window.addEventListener("focus", load);
    return () => {
      stop();
      window.removeEventListener("focus", load);
    };
  }, [store, live]);
};
