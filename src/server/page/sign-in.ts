import type { Context, Hono } from "hono";
import {
  PAGE_CODE_PATH,
  PAGE_SESSION_PATH,
  type PageCode,
  type PageSession,
  SignInRequest,
} from "../../contract/api/page-session.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { body } from "../ask/ask.ts";
import { credentialOf, isSame } from "../door/credential.ts";
import { type Door, requireOwnPage } from "../door/door.ts";
import { clearPageCookie, setPageCookie } from "../door/page-cookie.ts";
import { SignInCodes } from "./sign-in-codes.ts";

const WRONG_A_MINUTE = 20;
const MINUTE_MS = 60_000;

/** The page gives the token of its link once and gets a cookie, which scripts cannot read. */
export const signInRoutes = (app: Hono, { token }: Door): void => {
  const wrong = wrongTokens();
  const codes = new SignInCodes();

  app.post(PAGE_CODE_PATH, (c) => {
    const answer: PageCode = { code: codes.make() };
    return c.json(answer);
  });

  app.get(PAGE_SESSION_PATH, (c) => {
    const header = (name: string) => c.req.header(name);
    const isSignedIn = credentialOf(header, token)?.isValid === true;
    const answer: PageSession = { is_signed_in: isSignedIn };
    return c.json(answer);
  });

  app.post(PAGE_SESSION_PATH, async (c) => {
    requireOwnPage((name) => c.req.header(name));
    const given = await body(c, SignInRequest);
    if (!isSame(given.token, token) && !codes.take(given.token))
      throw wrong.refusal();
    return noContent(setPageCookie(token, isSecure(c)));
  });

  app.delete(PAGE_SESSION_PATH, (c) => {
    requireOwnPage((name) => c.req.header(name));
    return noContent(clearPageCookie(token, isSecure(c)));
  });
};

const noContent = (cookie: string): Response =>
  new Response(null, { status: 204, headers: { "set-cookie": cookie } });

/** A proxy in front may speak TLS with the browser. */
export const isSecure = (c: Context): boolean =>
  c.req.header("origin")?.startsWith("https://") === true;

/**
 * Wrong tokens of the last minute. The right one is always taken, so that nobody can shut the owner out: 256 bits cannot
 * be guessed at any speed, and what comes too often is noise.
 */
const wrongTokens = (): { refusal(): RepriseError } => {
  let count = 0;
  let since = -Infinity;
  return {
    refusal() {
      const now = performance.now();
      if (now - since > MINUTE_MS) {
        since = now;
        count = 0;
      }
      count += 1;
      return count > WRONG_A_MINUTE
        ? new RepriseError(
            "too_many_attempts",
            "Too many wrong tokens were sent within a minute. Wait a minute, and take the link that the server printed last.",
          )
        : new RepriseError(
            "unauthorized",
            "The token is not this server's. Take the link that the server printed last.",
          );
    },
  };
};
