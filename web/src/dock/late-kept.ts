/**
 * What keeps attachments is loaded with the first one. A browser in which nothing was ever attached has no database of them, so nothing
 * has to be read there.
 */
import { isNothing, type Kept, KEPT_DATABASE, NOTHING_KEPT } from "./kept.ts";
import type { KeptAttachments } from "./kept-attachments.ts";

export type KeepsAttachments = Pick<KeptAttachments, "read" | "write">;

export const lateKept = (
  factory: () => Pick<IDBFactory, "databases">,
  load: () => Promise<KeepsAttachments>,
): KeepsAttachments => {
  let loaded: KeepsAttachments | null = null;
  /** What could not be given away, because the code did not come. */
  const held = new Map<string, Kept>();
  const keeper = async (): Promise<KeepsAttachments> =>
    (loaded ??= await load());
  const mayHold = async (): Promise<boolean> => {
    if (loaded !== null) return true;
    try {
      return (await factory().databases()).some(
        ({ name }) => name === KEPT_DATABASE,
      );
    } catch {
      // Where the browser does not tell, it is looked for.
      return true;
    }
  };
  return {
    read: async (name) =>
      held.get(name) ??
      ((await mayHold()) ? (await keeper()).read(name) : NOTHING_KEPT),
    write: async (name, kept) => {
      if (isNothing(kept)) held.delete(name);
      else held.set(name, kept);
      if (isNothing(kept) && !(await mayHold())) return;
      try {
        await (await keeper()).write(name, kept);
      } catch {
        return;
      }
      if (held.get(name) === kept) held.delete(name);
    },
  };
};

/** The browser's. */
export const browserKept = (now: () => number): KeepsAttachments =>
  lateKept(
    () => indexedDB,
    async () => {
      const { openKept } = await import("./open-kept.ts");
      return openKept(now);
    },
  );
