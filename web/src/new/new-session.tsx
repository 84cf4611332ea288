import { ByCommand } from "../frame/by-command.tsx";
import type { PageStores } from "../start/page-stores.ts";

export const NewSession = (_: { stores: PageStores }) => (
  <ByCommand title="New session" command="reprise session start" />
);
