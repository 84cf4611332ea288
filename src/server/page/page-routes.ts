import { randomBytes } from "node:crypto";
import type { Context, Hono } from "hono";
import type { PageSettings } from "../../contract/api/first-view.ts";
import type { Operations } from "../ask/operations.ts";
import { cookie, credentialOf } from "../door/credential.ts";
import type { Door } from "../door/door.ts";
import { isOpen, pageAddresses } from "../door/open-addresses.ts";
import { setPageCookie } from "../door/page-cookie.ts";
import { answerFile } from "./assets.ts";
import type { BuiltPage } from "./built-page.ts";
import { composeDocument, policyFor, themeOf } from "./document.ts";
import { firstViewOf, signedOutView } from "./first-view.ts";
import { isSecure, signInRoutes } from "./sign-in.ts";
import { welcome } from "./welcome.ts";

export interface PageParts extends Door {
  operations: Operations;
  version: string;
  /** As configured; as usual where nobody says. */
  settings?: PageSettings;
  /** May still be built while the server answers: who asks for the page waits for it. */
  page?: Promise<PageOrReason>;
}

/** The built page, or why there is none. */
export type PageOrReason = BuiltPage | { missing: string };

const THEME_COOKIE = "reprise_theme";

/** The page: its document at each of its addresses, and the files that it loads. */
export const pageRoutes = (app: Hono, parts: PageParts): void => {
  signInRoutes(app, parts);
  const { page: built = Promise.resolve({ missing: "" }), version } = parts;

  for (const address of pageAddresses)
    app.get(address, async (c) => {
      if (!takesHtml(c)) return c.text(welcome(version, null));
      const page = await built;
      if ("missing" in page)
        return c.text(welcome(version, page.missing || null));
      return answerDocument(c, parts, page);
    });

  // No route of its own: an address that is no file of the page does not exist, whatever the method.
  app.use("*", async (c, next) => {
    const reads = c.req.method === "GET" || c.req.method === "HEAD";
    if (!reads || !isOpen(c.req.path)) return next();
    const page = await built;
    const file = "files" in page ? page.files.get(c.req.path) : undefined;
    return file === undefined
      ? next()
      : answerFile(file, (name) => c.req.header(name));
  });
};

/** Programs that take anything (`curl`) get words; browsers name what they want. */
const takesHtml = (c: Context): boolean =>
  /\btext\/html\b/i.test(c.req.header("accept") ?? "");

const answerDocument = async (
  c: Context,
  { operations, version, token, settings }: PageParts,
  { template }: BuiltPage,
): Promise<Response> => {
  const header = (name: string) => c.req.header(name);
  const credential = credentialOf(header, token);
  const isSignedIn = credential?.isValid === true;
  const view = isSignedIn
    ? await firstViewOf(operations, c.req.path, { version, settings })
    : signedOutView(version);
  const nonce = randomBytes(16).toString("base64");
  const theme = themeOf(cookie(header("cookie") ?? "", THEME_COOKIE));
  return new Response(composeDocument(template, { nonce, theme, view }), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policyFor(nonce),
      "cross-origin-opener-policy": "same-origin",
      // Who uses the page stays signed in.
      ...(isSignedIn && credential.by === "cookie"
        ? { "set-cookie": setPageCookie(token, isSecure(c)) }
        : {}),
    },
  });
};
