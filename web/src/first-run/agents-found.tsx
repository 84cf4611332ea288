import { useEffect } from "react";
import type { AgentView } from "../../../src/contract/agent/agent.ts";
import { Button, ButtonLink } from "../kit/button.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { routes } from "../routes.ts";
import type { Agents } from "../store/agents.ts";
import { agentWords } from "../words/agent-words.ts";
import style from "./first-run.module.css";

/** The agents of this machine: those that can be started, and what the others lack. */
export const AgentsFound = ({ agents }: { agents: Agents }) => {
  const view = useReadable(agents);
  useEffect(() => {
    void agents.load();
  }, [agents]);
  return (
    <section className={style.agents} aria-labelledby="agents-found">
      <div className={style.head}>
        <h2 id="agents-found">Agents found here</h2>
        <Button
          size="small"
          kind="plain"
          onClick={() => void agents.load({ again: true })}
        >
          Look again
        </Button>
      </div>
      {view.kind === "failed" && <p role="alert">{view.text}</p>}
      {view.kind === "unknown" && <p>Looking for agents…</p>}
      {view.kind === "known" && (
        <ul>
          {view.agents.filter(isShown).map((agent) => (
            <Agent key={agent.id} agent={agent} />
          ))}
        </ul>
      )}
    </section>
  );
};

const isShown = ({ id }: AgentView): boolean => !id.startsWith("demo");

const Agent = ({ agent }: { agent: AgentView }) => {
  const { standing, text, command } = agentWords(agent);
  return (
    <li className={style.agent} data-standing={standing}>
      <b>{agent.name}</b>
      <span>
        {text}
        {command !== null && (
          <>
            : <code>{command}</code>
          </>
        )}
      </span>
      {standing === "ready" ? (
        <ButtonLink
          size="small"
          href={`${routes.newSession}?agent=${encodeURIComponent(agent.id)}`}
        >
          Start
        </ButtonLink>
      ) : (
        command !== null && <CopyButton text={command} what={agent.name} />
      )}
    </li>
  );
};
