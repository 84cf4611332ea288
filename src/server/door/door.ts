import { RepriseError } from "../../contract/problem/problem.ts";
import { isToken, presentedToken } from "./credential.ts";
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

/** The token may come in a header or in the page's cookie, never in a URL, which would end up in logs and histories. */
export const requireToken = (door: Door, header: ReadHeader): void => {
  const presented = presentedToken(header);
  if (presented !== undefined && isToken(presented, door.token)) return;
  throw new RepriseError(
    "unauthorized",
    `${presented === undefined ? "No token was sent" : "The token is not this server's"}. Send the header "Authorization: Bearer <token>"; the token is in the file "token" of the server's home.`,
  );
};

const isOwnOrigin = (door: Door, origin: string): boolean => {
  const authority = /^https?:\/\/(.+)$/.exec(origin.toLowerCase())?.[1];
  return authority !== undefined && door.allowedHosts.has(authority);
};
