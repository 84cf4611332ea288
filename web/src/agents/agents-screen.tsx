import { useEffect, useState } from "react";
import { TopBar } from "../frame/top-bar.tsx";
import { Button } from "../kit/button.tsx";
import type { PageStores } from "../start/page-stores.ts";
import { AgentList } from "./agent-list.tsx";
import { RunningList } from "./running-list.tsx";
import style from "./agents.module.css";

/** The agents of the server's machine, and what runs. */
export const AgentsScreen = ({
  stores,
}: {
  stores: Pick<PageStores, "agents" | "client" | "sessions">;
}) => {
  const { agents } = stores;
  const [isLooking, setLooking] = useState(false);
  /** Grows when somebody asks for a new look. */
  const [look, setLook] = useState(0);
  useEffect(() => {
    void agents.load();
  }, [agents]);
  const lookAgain = (): void => {
    setLook(look + 1);
    setLooking(true);
    void agents.load({ again: true }).finally(() => setLooking(false));
  };
  return (
    <>
      <TopBar title="Agents">
        <Button disabled={isLooking} onClick={lookAgain}>
          {isLooking ? "Looking…" : "Look again"}
        </Button>
      </TopBar>
      <div className={style.screen}>
        <AgentList agents={agents} />
        <RunningList key={look} stores={stores} />
      </div>
    </>
  );
};
