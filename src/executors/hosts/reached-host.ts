/** A link to the agentctl of a host, as the runtime sees it, with the connection beside it for streams. */
import type { Place } from "../../runtime/ports/executors.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { DataLink, type Dialled } from "../link/data-link.ts";
import type { Link } from "../link/link.ts";
import { placeOver } from "../link/place.ts";
import type { Reached, Reaching } from "../link/shared-place.ts";

export interface HostLink {
  name: string;
  link: Link;
  where: Pick<Place, "runtime" | "url" | "port">;
  /** A further connection to the same agentctl. */
  dial: () => Promise<Dialled | null>;
  silenceMs: number;
  log: Log;
}

export const reachedHost = (
  { name, link, where, dial, silenceMs, log }: HostLink,
  { term, signal }: Pick<Reaching, "term" | "signal">,
): Reached => {
  const facts = { host: name, build: link.hello.build };
  log.info({ ...facts, term }, "connected to the agentctl of a host");
  void link.closed.then(() => {
    if (!signal.aborted) log.warn(facts, "the link to a host is lost");
  });
  const data = new DataLink({ link, dial, silenceMs });
  return {
    place: placeOver(link, data, { ...where, containerId: null }),
    isOpen: () => link.isOpen(),
    close: () => link.close(),
  };
};
