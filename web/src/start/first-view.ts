import {
  FirstView,
  type FirstSession,
  type HomeView,
} from "../../../src/contract/api/first-view.ts";

/** What the document brought with it, for somebody who is signed in. */
export interface Beginning {
  version: string;
  home: HomeView;
  session: FirstSession | null;
}

/** Null: nobody is signed in, or the server is of another release and the page has to ask. */
export const readFirstView = (document: Document): Beginning | null => {
  const text = document.getElementById("first-view")?.textContent ?? "null";
  const read = FirstView.safeParse(JSON.parse(text));
  if (!read.success || read.data.home === null) return null;
  return { ...read.data, home: read.data.home };
};
