import { ByCommand } from "../frame/by-command.tsx";
import type { PageStores } from "../start/page-stores.ts";

export const Trash = (_: { stores: PageStores }) => (
  <ByCommand title="Trash" command="reprise session list --deleted" />
);
