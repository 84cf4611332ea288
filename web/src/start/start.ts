import { type Beginning, readFirstView } from "./first-view.ts";
import { hasCookie, signIn } from "./sign-in.ts";
import { takeToken } from "./take-token.ts";

/** What the page begins with. */
export type Start =
  | { kind: "signed_in"; beginning: Beginning }
  | { kind: "signed_out"; why: "no_token" | "wrong_token" | "unreachable" }
  /** The document is being asked for again, with the cookie. */
  | { kind: "reloading" };

/** Says that the document was asked for again: a browser that keeps no cookies must not do so for ever. */
const TRIED = "reprise.tried";

/** The token leaves the address before anything is rendered or requested. */
export const start = async (window: Window): Promise<Start> => {
  const { location, history, sessionStorage, document } = window;
  const token = takeToken(location, history);
  if (token !== null) {
    const answer = await signIn(token);
    if (answer !== "signed_in") return { kind: "signed_out", why: answer };
    return askAgain(location);
  }
  const beginning = readFirstView(document);
  if (beginning !== null) {
    sessionStorage.removeItem(TRIED);
    return { kind: "signed_in", beginning };
  }
  if (sessionStorage.getItem(TRIED) === null && (await hasCookie())) {
    sessionStorage.setItem(TRIED, "yes");
    return askAgain(location);
  }
  return { kind: "signed_out", why: "no_token" };
};

const askAgain = (location: Location): Start => {
  location.replace(`${location.pathname}${location.search}`);
  return { kind: "reloading" };
};
