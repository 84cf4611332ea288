/**
 * Screens whose code is fetched before they are shown.
 *
 *   link, button, key ─► aroundNav ─► is the code there? ─ yes ─► the address changes, the screen is rendered
 *                                        └ no: fetch it, the screen before stays ─┘
 *
 * What a screen says while it is loaded, and where that fails, is in `late.tsx`.
 */
import type { ComponentType } from "react";
import type { AroundNavHandler } from "wouter";
import { late } from "./late.tsx";
import { LoadingState } from "../kit/loading-state.tsx";

interface Missing {
  isFor: (path: string) => boolean;
  fetch: () => Promise<unknown>;
}

/** Screens without code yet. The code of one may add others: those are parts of it. */
const missing = new Set<Missing>();

/** `isFor` says which paths show the screen. */
export const lazyScreen = <P extends object>(
  isFor: Missing["isFor"],
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> => {
  const screen = late({
    name: "This screen",
    load: async () => {
      const loaded = await load();
      missing.delete(entry);
      return loaded;
    },
    look: "screen",
    waiting: <LoadingState />,
  });
  const entry = { isFor, fetch: screen.fetch };
  missing.add(entry);
  return screen.Part;
};

const missingAt = (path: string): Missing | undefined =>
  [...missing].find(({ isFor }) => isFor(path));

/** Fetches the code of all that a path shows. */
export const fetchScreen = async (path: string): Promise<void> => {
  try {
    for (let next; (next = missingAt(path)) !== undefined;) await next.fetch();
  } catch {
    // It is asked for again when it is rendered, and what went wrong is told there.
  }
};

let latest = 0;

/** Goes to an address when its code is there, unless somebody wants to go elsewhere by then. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  latest += 1;
  const mine = latest;
  const { pathname } = new URL(to, location.href);
  const { dataset } = document.documentElement;
  delete dataset["fetching"];
  if (missingAt(pathname) === undefined) return navigate(to, options);
  dataset["fetching"] = "";
  void fetchScreen(pathname).then(() => {
    if (mine !== latest) return;
    delete dataset["fetching"];
    navigate(to, options);
  });
};
