import { createHash, timingSafeEqual } from "node:crypto";
import type { ReadHeader } from "../ask/read-header.ts";

export const TOKEN_COOKIE = "reprise_token";
const SUBPROTOCOL = "bearer.";

/** The token a request brings: an `Authorization` header decides alone, then a WebSocket's subprotocol, then the cookie. */
export const presentedToken = (header: ReadHeader): string | undefined => {
  const authorization = header("authorization");
  if (authorization !== undefined)
    return /^bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? "";
  const subprotocol = offeredSubprotocol(header);
  if (subprotocol !== undefined) return subprotocol.slice(SUBPROTOCOL.length);
  return cookie(header("cookie") ?? "", TOKEN_COOKIE);
};

/** Browsers cannot set headers on a WebSocket, but they can name subprotocols: `bearer.<token>`. */
export const offeredSubprotocol = (header: ReadHeader): string | undefined =>
  header("sec-websocket-protocol")
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => name.startsWith(SUBPROTOCOL));

/** Compares digests, so that neither the length nor the first wrong character shows in the time it takes. */
export const isToken = (presented: string, token: string): boolean =>
  timingSafeEqual(digest(presented), digest(token));

const digest = (text: string): Buffer =>
  createHash("sha256").update(text).digest();

const cookie = (cookies: string, name: string): string | undefined => {
  for (const pair of cookies.split(";")) {
    const [key, value] = pair.split("=", 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
};
