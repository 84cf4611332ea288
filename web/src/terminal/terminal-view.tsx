import {
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import type { ShellLink } from "../../../src/client/live/shell-connection.ts";
import { RepriseError } from "../../../src/contract/problem/problem.ts";
import type { Shell, ShellEnd } from "../../../src/contract/session/shell.ts";
import { refusalWords } from "../words/refusal-words.ts";
import { Button } from "../kit/button.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { SearchBar } from "./search-bar.tsx";
import { endWords, shellName } from "./shell-words.ts";
import { type Size, TerminalScreen } from "./terminal-screen.ts";
import { TouchKeys } from "./touch-keys.tsx";
import style from "./terminal-view.module.css";

/** A shorter loss of the connection is not worth a word. */
const QUIET_MS = 500;

export interface TerminalHandle {
  focus: () => void;
  search: () => void;
  /** The size that a new shell may have. */
  room: () => Size | null;
}

/** One shell in sight. */
const TerminalView = ({
  ref,
  shell,
  live,
  canOpen,
  isReadOnly,
  onReady,
  onTitled,
  onEnded,
  onGone,
  onLeave,
  onOpenAgain,
  onClose,
}: {
  ref: Ref<TerminalHandle>;
  shell: Shell;
  live: ShellLink;
  canOpen: boolean;
  isReadOnly: boolean;
  /** It can be typed into. */
  onReady: () => void;
  onTitled: (title: string) => void;
  onEnded: (end: ShellEnd) => void;
  onGone: () => void;
  onLeave: () => void;
  onOpenAgain: () => void;
  onClose: () => void;
}) => {
  const host = useRef<HTMLDivElement>(null);
  const screen = useRef<TerminalScreen>(null);
  const [attempt, setAttempt] = useState(0);
  const [isAttached, setAttached] = useState(false);
  const [wasAttached, setWasAttached] = useState(false);
  const [isNotTyped, setNotTyped] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { id, session_id, end } = shell;
  const events = useRef({ onReady, onTitled, onEnded, onGone, onLeave });
  useEffect(() => {
    events.current = { onReady, onTitled, onEnded, onGone, onLeave };
  });
  useEffect(() => {
    if (host.current === null) return;
    const made = new TerminalScreen(
      host.current,
      { session_id, shell_id: id },
      live,
      {
        titled: (title) => events.current.onTitled(title),
        ended: (ending) => events.current.onEnded(ending),
        failed: (error) => {
          const isGone =
            error instanceof RepriseError && error.code === "shell_not_found";
          if (isGone) events.current.onGone();
          else setFailure(refusalWords(error));
        },
        attached: (isNow) => {
          setAttached(isNow);
          if (!isNow) return;
          setWasAttached(true);
          setNotTyped(false);
        },
        notTyped: () => setNotTyped(true),
        searchWanted: () => setSearching(true),
        leaveWanted: () => events.current.onLeave(),
      },
    );
    screen.current = made;
    events.current.onReady();
    return () => {
      screen.current = null;
      made.close();
    };
  }, [id, session_id, live, attempt]);
  useEffect(() => {
    if (screen.current !== null) screen.current.readOnly = isReadOnly;
  }, [isReadOnly, attempt]);
  useImperativeHandle(ref, () => ({
    focus: () => screen.current?.focus(),
    search: () => setSearching(true),
    room: () => screen.current?.room ?? null,
  }));
  const isAway = useDelayed(wasAttached && !isAttached && end === null);
  return (
    <div className={style.view}>
      {isSearching && (
        <SearchBar
          onFind={(text, direction) =>
            screen.current?.find(text, direction) ?? false
          }
          onClose={() => {
            setSearching(false);
            screen.current?.focus();
          }}
        />
      )}
      {failure !== null && (
        <div className={style.over}>
          <ErrorState
            title="This terminal cannot be shown"
            retry={() => {
              setFailure(null);
              setAttempt(attempt + 1);
            }}
          >
            {failure}
          </ErrorState>
        </div>
      )}
      <div
        ref={host}
        className={style.host}
        data-shell={id}
        data-attached={isAttached}
        role="group"
        aria-label={`Terminal ${shellName(shell)}. Shift+F6 leaves it.`}
      />
      <div className={style.strips} role="status">
        {end !== null ? (
          <div className={style.strip}>
            <span>{endWords(end)}</span>
            <span className={style.actions}>
              <Button size="small" onClick={onOpenAgain} disabled={!canOpen}>
                Open again
              </Button>
              <Button size="small" kind="plain" onClick={onClose}>
                Close
              </Button>
            </span>
          </div>
        ) : isAway || isNotTyped ? (
          <div className={style.strip}>
            {isAway
              ? "Not connected. The shell goes on; what you type now does not arrive."
              : "What you typed last may not have arrived. Look before you type it again."}
          </div>
        ) : null}
      </div>
      {end === null && !isReadOnly && (
        <TouchKeys
          onPress={(keys) => {
            screen.current?.press(keys);
            screen.current?.focus();
          }}
          onArrow={(letter) => {
            screen.current?.pressArrow(letter);
            screen.current?.focus();
          }}
        />
      )}
    </div>
  );
};

/** Whether something holds, and has for a while. */
const useDelayed = (holds: boolean): boolean => {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!holds) return;
    const timer = setTimeout(() => setLong(true), QUIET_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [holds]);
  return holds && isLong;
};

export default TerminalView;
