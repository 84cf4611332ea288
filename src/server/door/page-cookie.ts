import { createHmac } from "node:crypto";

const MAX_AGE_SECONDS = 30 * 24 * 3600;

/**
 * The cookie of the page. Browsers send a cookie to every port of a host, so its name is made from the token: servers of
 * different homes do not overwrite each other's. Its value is made from the token too, one way: who gets hold of the
 * cookie has no token to give to a program.
 */
export const pageCookieOf = (
  token: string,
): { name: string; value: string } => ({
  name: `reprise_page_${derived(token, "page cookie name", "hex").slice(0, 12)}`,
  value: derived(token, "page cookie value", "base64url"),
});

export const setPageCookie = (token: string, isSecure: boolean): string =>
  cookieLine(token, pageCookieOf(token).value, MAX_AGE_SECONDS, isSecure);

export const clearPageCookie = (token: string, isSecure: boolean): string =>
  cookieLine(token, "", 0, isSecure);

const cookieLine = (
  token: string,
  value: string,
  maxAge: number,
  isSecure: boolean,
): string =>
  `${pageCookieOf(token).name}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}${isSecure ? "; Secure" : ""}`;

const derived = (
  token: string,
  purpose: string,
  encoding: "hex" | "base64url",
): string =>
  createHmac("sha256", token).update(`reprise ${purpose}`).digest(encoding);
