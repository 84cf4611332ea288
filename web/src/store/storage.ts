/** What the browser keeps for the page. It may be full, or forbidden: then the page remembers until it is closed. */
export interface Shelf {
  read(key: string): string | null;
  /** Whether it is kept. */
  write(key: string, text: string): boolean;
  remove(key: string): void;
  keys(): string[];
  /** Whether something whose key begins so is remembered only until the page is closed. */
  holds(prefix: string): boolean;
}

export const shelfOf = (
  storage: () => Pick<
    Storage,
    "getItem" | "setItem" | "removeItem" | "key" | "length"
  >,
): Shelf => {
  /** What could not be stored. */
  const held = new Map<string, string>();
  const stored = <T>(
    ask: (store: ReturnType<typeof storage>) => T,
  ): T | null => {
    try {
      // Where storage is forbidden, already asking for it throws.
      return ask(storage());
    } catch {
      return null;
    }
  };
  return {
    read: (key) => held.get(key) ?? stored((store) => store.getItem(key)),
    write: (key, text) => {
      const isKept =
        stored((store) => {
          store.setItem(key, text);
          return true;
        }) === true;
      if (isKept) held.delete(key);
      else held.set(key, text);
      return isKept;
    },
    remove: (key) => {
      held.delete(key);
      stored((store) => store.removeItem(key));
    },
    holds: (prefix) => [...held.keys()].some((key) => key.startsWith(prefix)),
    keys: () => {
      const there =
        stored((store) =>
          Array.from({ length: store.length }, (_, i) => store.key(i)).filter(
            (key) => key !== null,
          ),
        ) ?? [];
      return [...new Set([...there, ...held.keys()])];
    },
  };
};
