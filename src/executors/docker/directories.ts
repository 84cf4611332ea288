/** Where things are, outside a container and inside. */
import { join } from "node:path";
import type { SessionId } from "../../contract/base/id.ts";

/** Outside: of one place. */
export interface PlaceDirectories {
  root: string;
  control: string;
  link: string;
  state: string;
  record: string;
  made: string;
}

export const dockerDirectory = (home: string): string => join(home, "docker");

export const programsDirectory = (home: string): string =>
  join(dockerDirectory(home), "programs");

export const placeDirectories = (
  home: string,
  session: SessionId,
): PlaceDirectories => {
  const root = join(dockerDirectory(home), session);
  return {
    root,
    control: join(root, "control"),
    link: join(root, "link"),
    state: join(root, "state"),
    record: join(root, "place.json"),
    made: join(root, "container.json"),
  };
};

export const SOCKET = "agentctl.sock";
export const SUPERVISOR = "supervise";
/** Two lines: the build to run, and the directory of the Node to run it with. */
export const RUN = "run";
export const TOKEN = "token";
export const PASSWD = "passwd";

/** Inside. */
export const INSIDE = {
  root: "/reprise",
  control: "/reprise/control",
  link: "/reprise/link",
  state: "/reprise/state",
  home: "/reprise/state/home",
  programs: "/reprise/programs",
} as const;
