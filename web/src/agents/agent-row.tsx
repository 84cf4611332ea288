import type { AgentView } from "../../../src/contract/agent/agent.ts";
import { ButtonLink } from "../kit/button.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { routes } from "../routes.ts";
import { agentWords } from "../words/agent-words.ts";
import style from "./agents.module.css";

export const AgentRow = ({ agent }: { agent: AgentView }) => {
  const { standing, text, command } = agentWords(agent);
  return (
    <li className={style.row} data-standing={standing}>
      <span className={style.mark} aria-hidden="true" />
      <div className={style.words}>
        <b>{agent.name}</b>
        <span className={style.about}>
          {text}
          {command !== null && (
            <>
              : <code>{command}</code>
            </>
          )}
        </span>
        {agent.installed && (
          <code className={style.command} title={agent.command.join(" ")}>
            {agent.command.join(" ")}
          </code>
        )}
      </div>
      <div className={style.actions}>
        {command !== null && <CopyButton text={command} what={agent.name} />}
        {agent.installed && (
          <ButtonLink
            size="small"
            href={`${routes.newSession}?agent=${encodeURIComponent(agent.id)}`}
            title={`Start ${agent.name}`}
          >
            Start
          </ButtonLink>
        )}
      </div>
    </li>
  );
};
