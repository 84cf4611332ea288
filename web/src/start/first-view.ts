import { trusted } from "../../../src/client/trusting.ts";
import type {
  FirstSession,
  FirstView,
  HomeView,
} from "../../../src/contract/api/first-view.ts";

/** What the document brought with it, for somebody who is signed in. */
export interface Beginning {
  version: string;
  home: HomeView;
  session: FirstSession | null;
}

/** Null: nobody is signed in. */
export const readFirstView = (document: Document): Beginning | null => {
  const text = document.getElementById("first-view")?.textContent ?? "null";
  const view: FirstView | null = trusted(JSON.parse(text));
  if (view === null || view.home === null) return null;
  return { ...view, home: view.home };
};
