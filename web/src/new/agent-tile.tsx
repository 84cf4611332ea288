import type { AgentView } from "../../../src/contract/agent/agent.ts";
import { CopyButton } from "../kit/copy-button.tsx";
import { agentWords } from "../words/agent-words.ts";
import style from "./agent-tiles.module.css";

/** An agent to choose; or what it lacks, with the command that helps. */
export const AgentTile = ({
  agent,
  isChosen,
  onChoose,
}: {
  agent: AgentView;
  isChosen: boolean;
  onChoose: () => void;
}) => {
  const { standing, text, command } = agentWords(agent);
  return (
    <div className={style.tile} data-standing={standing}>
      <label className={style.label}>
        <input
          type="radio"
          name="agent"
          className={style.radio}
          checked={isChosen}
          disabled={standing === "missing"}
          onChange={onChoose}
        />
        <b>{agent.name}</b>
        <small>
          {agent.id === "demo" ? "no model, no login" : text}
          {command !== null && (
            <>
              : <code>{command}</code>
            </>
          )}
        </small>
      </label>
      {command !== null && (
        <span className={style.copy}>
          <CopyButton text={command} what={agent.name} />
        </span>
      )}
    </div>
  );
};
