import type { AgentView } from "../../../src/contract/agent/agent.ts";
import { Button } from "../kit/button.tsx";
import type { AgentsView } from "../store/agents.ts";
import { AgentTile } from "./agent-tile.tsx";
import { tileOrder } from "./suggestions.ts";
import style from "./agent-tiles.module.css";

export const AgentTiles = ({
  view,
  chosen,
  onChoose,
  onLookAgain,
  describedBy,
}: {
  view: AgentsView;
  chosen: string | null;
  onChoose: (agent: AgentView) => void;
  onLookAgain: () => void;
  describedBy: string | undefined;
}) => (
  <fieldset className={style.group} aria-describedby={describedBy}>
    <legend className={style.legend}>Agent</legend>
    {view.kind === "unknown" && <p role="status">Looking for agents…</p>}
    {view.kind === "failed" && (
      <p role="alert" className={style.failed}>
        {view.text}
        <Button size="small" onClick={onLookAgain}>
          Look again
        </Button>
      </p>
    )}
    {view.kind === "known" && (
      <div className={style.tiles}>
        {tileOrder(view.agents, chosen).map((agent) => (
          <AgentTile
            key={agent.id}
            agent={agent}
            isChosen={agent.id === chosen}
            onChoose={() => onChoose(agent)}
          />
        ))}
      </div>
    )}
  </fieldset>
);
