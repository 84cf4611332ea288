import { ByCommand } from "../frame/by-command.tsx";
import type { PageStores } from "../start/page-stores.ts";

export const Tasks = (_: { stores: PageStores; id: string | undefined }) => (
  <ByCommand title="Tasks" command="reprise task list" />
);
