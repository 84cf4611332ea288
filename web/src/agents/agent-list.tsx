import { ErrorState } from "../kit/error-state.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { useReadable } from "../kit/use-readable.ts";
import type { Agents } from "../store/agents.ts";
import { AgentRow } from "./agent-row.tsx";
import style from "./agents.module.css";

export const AgentList = ({ agents }: { agents: Agents }) => {
  const view = useReadable(agents);
  return (
    <section aria-labelledby="agents-here">
      <h2 id="agents-here" className={style.head}>
        On the machine of the server
      </h2>
      {view.kind === "unknown" && <LoadingState label="Looking for agents" />}
      {view.kind === "failed" && (
        <ErrorState
          title="The agents could not be read"
          retry={() => void agents.load({ again: true })}
        >
          {view.text}
        </ErrorState>
      )}
      {view.kind === "known" && (
        <ul className={style.rows}>
          {view.agents.map((agent) => (
            <AgentRow key={agent.id} agent={agent} />
          ))}
        </ul>
      )}
    </section>
  );
};
