import { type KeyboardEvent, type Ref, useRef } from "react";
import type { Shell } from "../../../src/contract/session/shell.ts";
import { classes } from "../kit/classes.ts";
import { Icon } from "../kit/icon.tsx";
import { clock } from "../words/age.ts";
import { shellName } from "./shell-words.ts";
import style from "./terminal-tabs.module.css";

/** The shells of a session, one of them in sight. Arrow keys move between them. */
export const TerminalTabs = ({
  ref,
  shells,
  chosen,
  panelId,
  onChoose,
}: {
  /** The tab of the chosen one. */
  ref: Ref<HTMLButtonElement>;
  shells: readonly Shell[];
  chosen: string | null;
  panelId: string;
  onChoose: (id: string) => void;
}) => {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = shells.findIndex(({ id }) => id === chosen);
    const next = shells[step(at, shells.length)];
    if (next === undefined) return;
    onChoose(next.id);
    list.current
      ?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)
      ?.focus();
  };
  return (
    <div
      ref={list}
      className={style.tabs}
      role="tablist"
      tabIndex={-1}
      aria-label="Terminals"
      onKeyDown={move}
    >
      {shells.map((shell) => {
        const isChosen = shell.id === chosen;
        return (
          <button
            key={shell.id}
            ref={isChosen ? ref : null}
            type="button"
            role="tab"
            data-tab={shell.id}
            aria-selected={isChosen}
            {...(isChosen ? { "aria-controls": panelId } : {})}
            tabIndex={isChosen ? 0 : -1}
            className={classes(style.tab, isChosen && style.chosen)}
            onClick={() => onChoose(shell.id)}
          >
            <Icon name={shell.end === null ? "terminal" : "stop"} size={14} />
            <span className={style.name}>{shellName(shell)}</span>
            <span className={style.since}>
              {shell.end === null
                ? isChosen && `since ${clock(shell.created_at)}`
                : `ended${shell.end.exit_code === null ? "" : `, ${shell.end.exit_code}`}`}
            </span>
          </button>
        );
      })}
    </div>
  );
};

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};
