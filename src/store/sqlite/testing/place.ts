import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../../runtime/ports.ts";
import type { StoreTest } from "../../conformance/rule.ts";
import { openSqliteStore } from "../store.ts";

const openStores = new Map<string, Store[]>();

/** A path for a database in a directory of its own. With the test the stores on it are closed and the directory goes. */
export const databasePath = (t: StoreTest): string => {
  const directory = mkdtempSync(join(tmpdir(), "reprise-store-"));
  const path = join(directory, "reprise.db");
  openStores.set(path, []);
  t.after(async () => {
    for (const store of openStores.get(path) ?? []) await store.close();
    openStores.delete(path);
    rmSync(directory, { recursive: true, force: true });
  });
  return path;
};

/** A store on such a path, which the test need not close. */
export const openAt = async (path: string): Promise<Store> => {
  const store = await openSqliteStore({ path });
  openStores.get(path)?.push(store);
  return store;
};
