import { TopBar } from "../frame/top-bar.tsx";
import { Button } from "../kit/button.tsx";
import { Kbd } from "../kit/kbd.tsx";
import { AgentTiles } from "./agent-tiles.tsx";
import { PromptArea } from "./prompt-area.tsx";
import { Rest } from "./rest.tsx";
import { type NewSessionStores, useNewSession } from "./use-new-session.ts";
import { Where } from "./where.tsx";
import style from "./new-session.module.css";

/** A prompt, an agent and a directory: what it takes to start a session. */
export const NewSession = ({ stores }: { stores: NewSessionStores }) => {
  const { form, agent, isStarting, change, start, refusalAt, ...rest } =
    useNewSession(stores);
  const hasPrompt =
    form.prompt.trim() !== "" || rest.attached.attachments.length > 0;
  const canStart = agent !== null && !isStarting;
  const badAgent = refusalAt("agent");
  const other = refusalAt(null);
  return (
    <>
      <TopBar title="New session" />
      <div className={style.screen}>
        <div className={style.card}>
          <PromptArea
            value={form.prompt}
            attached={rest.attached}
            onChange={(prompt) => change({ prompt })}
            onSend={() => {
              if (canStart && hasPrompt) void start(false);
            }}
          />
          <AgentTiles
            view={rest.agents}
            chosen={agent}
            onChoose={({ id }) => change({ agent: id })}
            onLookAgain={() => void stores.agents.load({ again: true })}
            describedBy={badAgent === null ? undefined : "new-agent-not"}
          />
          {badAgent !== null && (
            <p id="new-agent-not" className={style.refusal} role="alert">
              {badAgent.text}
            </p>
          )}
          <Where
            ref={rest.where}
            form={form}
            directories={rest.directories}
            client={stores.client}
            userHome={stores.settings.user_home}
            refusal={refusalAt("directory")}
            onChange={change}
          />
          <Rest
            form={form}
            agent={agent}
            settings={stores.settings}
            sessions={rest.known}
            refusal={refusalAt("rest")?.text ?? null}
            onChange={change}
          />
          {other !== null && (
            <p className={style.refusal} role="alert">
              {other.text}
            </p>
          )}
          <div className={style.foot}>
            <span className={style.kept}>
              {!rest.isKept
                ? "This browser keeps no drafts: what is typed is lost when the page is closed"
                : rest.isOld
                  ? "Your draft from before, saved in this browser"
                  : "Saved as a draft in this browser"}
            </span>
            <Button disabled={!canStart} onClick={() => void start(true)}>
              Start empty
            </Button>
            <Button
              kind="primary"
              disabled={!canStart || !hasPrompt}
              onClick={() => void start(false)}
            >
              {isStarting ? "Starting…" : "Start"}
              {!isStarting && (
                <span aria-hidden="true">
                  <Kbd>↵</Kbd>
                </span>
              )}
            </Button>
          </div>
        </div>
      </div>
    </>
  );
};
