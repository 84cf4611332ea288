import { ByCommand } from "../frame/by-command.tsx";
import type { PageStores } from "../start/page-stores.ts";

export const AgentsScreen = (_: { stores: PageStores }) => (
  <ByCommand title="Agents" command="reprise agents" />
);
