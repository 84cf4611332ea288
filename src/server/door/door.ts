import { RepriseError } from "../../contract/problem/problem.ts";
import { credentialOf } from "./credential.ts";
import type { ReadHeader } from "../ask/read-header.ts";

/** Who may come in. REST, SSE and WebSocket all go through here. */
export interface Door {
  token: string;
  allowedHosts: ReadonlySet<string>;
}

/** Refuses what a browser sends on behalf of a page that is not ours. Comes before anything else is looked at. */
export const refuseForeign = (
  door: Door,
  header: ReadHeader,
  { openPage }: { openPage: boolean },
): void => {
  const host = header("host")?.toLowerCase();
  if (host === undefined || !door.allowedHosts.has(host))
    throw new RepriseError(
      "forbidden_host",
      `This server does not answer to the name ${JSON.stringify(host ?? "")}. Use ${[...door.allowedHosts].join(", ")}, or start it with --host.`,
    );

  const origin = header("origin");
  if (origin !== undefined && !isOwnOrigin(door, origin))
    throw new RepriseError(
      "forbidden_origin",
      `Pages of ${JSON.stringify(origin)} may not use this server.`,
    );

  // Requests without `Origin` (images, scripts, frames) still say where they come from. `same-site` is foreign too:
  // another port of this machine is another program.
  const site = header("sec-fetch-site");
  const foreign = site === "cross-site" || site === "same-site";
  const followedLink =
    openPage &&
    header("sec-fetch-mode") === "navigate" &&
    header("sec-fetch-dest") === "document";
  if (foreign && !followedLink)
    throw new RepriseError(
      "forbidden_origin",
      "Another site's page may not use this server.",
    );
};

/**
 * The token may come in a header or as a cookie, never in a URL, which would end up in logs and histories. A cookie comes
 * with every request that a browser makes, so what changes something must say besides that a page of ours asked for it.
 */
export const requireToken = (
  door: Door,
  header: ReadHeader,
  { changes }: { changes: boolean },
): void => {
  const credential = credentialOf(header, door.token);
  if (credential?.isValid !== true)
    throw new RepriseError(
      "unauthorized",
      `${credential === undefined ? "No token was sent" : "The token is not this server's"}. Send the header "Authorization: Bearer <token>"; the token is in the file "token" of the server's home.`,
    );
  if (changes && credential.by === "cookie") requireOwnPage(header);
};

/** Comes behind `refuseForeign`: an `Origin` that is there is ours. */
export const requireOwnPage = (header: ReadHeader): void => {
  if (header("origin") !== undefined) return;
  if (header("sec-fetch-site") === "same-origin") return;
  throw new RepriseError(
    "forbidden_origin",
    "This changes something, and nothing says that the server's own page asked for it. Programs send the token as a header instead of a cookie.",
  );
};

const isOwnOrigin = (door: Door, origin: string): boolean => {
  const authority = /^https?:\/\/(.+)$/.exec(origin.toLowerCase())?.[1];
  return authority !== undefined && door.allowedHosts.has(authority);
};
