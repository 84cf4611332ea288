import type { Session } from "../../../../src/contract/session/session.ts";
import { latePart } from "../../late/late.tsx";
import { LoadingState } from "../../kit/loading-state.tsx";
import type { SessionDeps } from "../../session/session-deps.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import { Panel } from "./panel.tsx";
import { Processes } from "./processes.tsx";
import { useProcesses } from "./use-processes.ts";

const Terminals = latePart({
  name: "The terminals",
  load: async () => (await import("../../terminal/terminals.tsx")).Terminals,
  look: "screen",
  waiting: <LoadingState />,
});

/** What runs in the workspace. */
export const WorkspacePanel = ({
  session,
  client,
  terminals,
  canOpenTerminal,
  canType,
}: {
  session: Session;
  client: WorkspaceClient;
  terminals: SessionDeps["terminals"];
  canOpenTerminal: boolean;
  canType: boolean;
}) => {
  const processes = useProcesses(session.id, client);
  return (
    <Panel
      isOpenFirst={false}
      tabs={[
        {
          id: "terminals",
          name: "Terminals",
          count: null,
          content: (
            <Terminals
              sessionId={session.id}
              {...terminals}
              canOpen={canOpenTerminal}
              canType={canType}
            />
          ),
        },
        {
          id: "processes",
          name: "Processes",
          count: processes.value?.length ?? null,
          content: (
            <Processes
              lines={processes}
              onEnd={async (process) => {
                await client.endProcess(session.id, process);
              }}
            />
          ),
        },
      ]}
    />
  );
};
