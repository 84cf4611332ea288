/** What is kept with drafts, in the browser's database. Sizes lie apart, so that counting reads no attachments. */
import { isRecord } from "../../../src/contract/base/is-record.ts";
import { KEPT_DATABASE } from "./kept.ts";
import type { KeptBox, KeptFacts } from "./kept-attachments.ts";

const CONTENT = "attachments";
const FACTS = "attachment-facts";

export const keptDatabase = (factory: () => IDBFactory): KeptBox => {
  let opening: Promise<IDBDatabase> | null = null;
  const opened = (): Promise<IDBDatabase> => {
    opening ??= open(factory);
    return opening;
  };
  return {
    read: async (name) => {
      const store = (await opened()).transaction(CONTENT).objectStore(CONTENT);
      return answer<unknown>(store.get(name));
    },
    write: async (name, kept, facts) => {
      const work = (await opened()).transaction([CONTENT, FACTS], "readwrite");
      work.objectStore(CONTENT).put(kept, name);
      work.objectStore(FACTS).put(facts, name);
      return done(work);
    },
    remove: async (name) => {
      const work = (await opened()).transaction([CONTENT, FACTS], "readwrite");
      work.objectStore(CONTENT).delete(name);
      work.objectStore(FACTS).delete(name);
      return done(work);
    },
    list: async () => {
      const store = (await opened()).transaction(FACTS).objectStore(FACTS);
      const [names, facts] = await Promise.all([
        answer(store.getAllKeys()),
        answer<unknown[]>(store.getAll()),
      ]);
      return names.flatMap((name, i) => {
        const known = facts[i];
        return typeof name === "string" && isFacts(known)
          ? [{ name, ...known }]
          : [];
      });
    },
  };
};

const isFacts = (value: unknown): value is KeptFacts =>
  isRecord(value) &&
  typeof value["at"] === "number" &&
  typeof value["bytes"] === "number";

const open = async (factory: () => IDBFactory): Promise<IDBDatabase> => {
  // Where storage is forbidden, already asking for it throws.
  const asked = factory().open(KEPT_DATABASE, 1);
  asked.addEventListener("upgradeneeded", () => {
    asked.result.createObjectStore(CONTENT);
    asked.result.createObjectStore(FACTS);
  });
  return answer(asked);
};

const answer = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.addEventListener("success", () => resolve(asked.result));
    asked.addEventListener("error", () =>
      reject(asked.error ?? new DOMException("It was not answered.")),
    );
  });

const done = (work: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    work.addEventListener("complete", () => resolve());
    for (const event of ["abort", "error"])
      work.addEventListener(event, () =>
        reject(work.error ?? new DOMException("It was not kept.")),
      );
  });
