import { createHash, timingSafeEqual } from "node:crypto";
import type { ReadHeader } from "../ask/read-header.ts";
import { pageCookieOf } from "./page-cookie.ts";

export const TOKEN_COOKIE = "reprise_token";
const SUBPROTOCOL = "bearer.";

/** What a request shows at the door. Browsers add cookies by themselves, headers they do not. */
export interface Credential {
  by: "header" | "cookie";
  isValid: boolean;
}

/** An `Authorization` header decides alone, then a WebSocket's subprotocol, then the page's cookie, then the token as a cookie. */
export const credentialOf = (
  header: ReadHeader,
  token: string,
): Credential | undefined => {
  const authorization = header("authorization");
  if (authorization !== undefined) {
    const sent = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? "";
    return { by: "header", isValid: isSame(sent, token) };
  }
  const subprotocol = offeredSubprotocol(header);
  if (subprotocol !== undefined) {
    const sent = subprotocol.slice(SUBPROTOCOL.length);
    return { by: "header", isValid: isSame(sent, token) };
  }
  return cookieCredential(header("cookie"), token);
};

const cookieCredential = (
  cookies: string | undefined,
  token: string,
): Credential | undefined => {
  if (cookies === undefined) return undefined;
  const ofPage = pageCookieOf(token);
  const page = cookie(cookies, ofPage.name);
  if (page !== undefined)
    return { by: "cookie", isValid: isSame(page, ofPage.value) };
  const bare = cookie(cookies, TOKEN_COOKIE);
  return bare === undefined
    ? undefined
    : { by: "cookie", isValid: isSame(bare, token) };
};

/** Browsers cannot set headers on a WebSocket, but they can name subprotocols: `bearer.<token>`. */
export const offeredSubprotocol = (header: ReadHeader): string | undefined =>
  header("sec-websocket-protocol")
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => name.startsWith(SUBPROTOCOL));

/** Compares digests, so that neither the length nor the first wrong character shows in the time it takes. */
export const isSame = (presented: string, secret: string): boolean =>
  timingSafeEqual(digest(presented), digest(secret));

const digest = (text: string): Buffer =>
  createHash("sha256").update(text).digest();

export const cookie = (cookies: string, name: string): string | undefined => {
  for (const pair of cookies.split(";")) {
    const [key, value] = pair.split("=", 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
};
