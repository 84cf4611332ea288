import { useState } from "react";
import { Link } from "wouter";
import type { Session } from "../../../src/contract/session/session.ts";
import { Button } from "../kit/button.tsx";
import { Chip } from "../kit/chip.tsx";
import { Glyph, type GlyphState } from "../kit/glyph.tsx";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { latePart } from "../late/late.tsx";
import { Tabs } from "../kit/tabs.tsx";
import { changesPath, routes, sessionPath, workspacePath } from "../routes.ts";
import { stateWord } from "../words/state-word.ts";
import { sessionName } from "../words/session-name.ts";
import { headerFacts } from "./header-facts.ts";
import type { Ancestors } from "./ancestors.ts";
import type { MenuActions } from "./session-menu.tsx";
import style from "./header.module.css";

export type SessionTab = "conversation" | "changes" | "workspace";

const ForkedFrom = latePart({
  name: "Where the fork comes from",
  load: async () => (await import("./forked-from.tsx")).ForkedFrom,
});
const SessionMenu = latePart({
  name: "The menu",
  load: async () => (await import("./session-menu.tsx")).default,
  look: "over",
});

const tones: Partial<Record<GlyphState, "accent" | "amber" | "red">> = {
  working: "accent",
  needs_you: "amber",
  interrupted: "red",
  failed: "red",
};

/** What session this is, how it stands, and what can be done with all of it. */
export const Header = ({
  session,
  ancestors,
  agentName,
  tab,
  onPause,
  menu,
}: {
  session: Session;
  ancestors: Ancestors;
  agentName: string;
  tab: SessionTab;
  /** Null where nothing runs. */
  onPause: (() => void) | null;
  menu: MenuActions;
}) => {
  const { glyph, word } = stateWord(session);
  const { model, branch, size } = headerFacts(session);
  return (
    <header className={style.header}>
      <Link className={style.back} href={routes.home} aria-label="Home">
        <Icon name="left" />
      </Link>
      <div className={style.names}>
        <h1>{sessionName(session)}</h1>
        <div className={style.facts}>
          <Chip tone={tones[glyph] ?? "neutral"}>
            <Glyph state={glyph} />
            {word}
          </Chip>
          <span>{agentName}</span>
          {session.parent !== null && (
            <ForkedFrom parent={session.parent} ancestors={ancestors} />
          )}
          {model !== null && <span className={style.minor}>{model}</span>}
          {branch !== null && <code className={style.branch}>{branch}</code>}
          {size !== "" && <span className={style.minor}>{size}</span>}
        </div>
      </div>
      <div className={style.tabs}>
        <Tabs
          label="Session"
          tabs={[
            {
              href: sessionPath(session.id),
              name: "Conversation",
              isCurrent: tab === "conversation",
            },
            {
              href: changesPath(session.id),
              name: "Changes",
              isCurrent: tab === "changes",
            },
            {
              href: workspacePath(session.id),
              name: "Workspace",
              isCurrent: tab === "workspace",
            },
          ]}
        />
      </div>
      {onPause !== null && (
        <span className={style.pause}>
          <Button icon="pause" onClick={onPause}>
            Pause
          </Button>
        </span>
      )}
      <More session={session} actions={menu} onPause={onPause} />
    </header>
  );
};

/** The menu's code comes when it is first opened. */
const More = ({
  session,
  actions,
  onPause,
}: {
  session: Session;
  actions: MenuActions;
  onPause: (() => void) | null;
}) => {
  const [timesAsked, setTimesAsked] = useState(0);
  const button = (
    <IconButton
      icon="more"
      label="More"
      onClick={() => setTimesAsked(timesAsked + 1)}
    />
  );
  return timesAsked > 0 ? (
    <SessionMenu
      // Where it could not be loaded, another press loads it again.
      key={timesAsked}
      waiting={button}
      onDismiss={() => setTimesAsked(0)}
      session={session}
      actions={actions}
      onPause={onPause}
    />
  ) : (
    button
  );
};
