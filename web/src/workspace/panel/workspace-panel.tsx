import type { Session } from "../../../../src/contract/session/session.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import { Panel } from "./panel.tsx";
import { Processes } from "./processes.tsx";
import { useProcesses } from "./use-processes.ts";

/** What runs in the workspace. */
export const WorkspacePanel = ({
  session,
  client,
}: {
  session: Session;
  client: WorkspaceClient;
}) => {
  const processes = useProcesses(session.id, client);
  return (
    <Panel
      isOpenFirst={false}
      tabs={[
        {
          id: "processes",
          name: "Processes",
          count: processes.value?.length ?? null,
          content: () => (
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
