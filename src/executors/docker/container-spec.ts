/** What a container is made of, as the engine wants it told. Pure: the same settings give the same words. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { OwnerId, SessionId } from "../../contract/base/id.ts";
import type { DockerConfig } from "../../contract/link/executor-settings.ts";
import {
  INSIDE,
  PASSWD,
  SUPERVISOR,
  type PlaceDirectories,
} from "./directories.ts";
import { IN_MEMORY } from "./working-directory.ts";

export const LABELS = {
  managed: "dev.reprise.managed",
  home: "dev.reprise.home",
  session: "dev.reprise.session",
  /** Of what the container was made of. */
  spec: "dev.reprise.spec",
} as const;

export interface Wish {
  session: SessionId;
  owner: OwnerId;
  image: string;
  /** Null: it works in what is kept of the place. */
  cwd: string | null;
  user: { uid: number; gid: number };
  directories: PlaceDirectories;
  /** Outside. */
  programs: string;
  settings: DockerConfig;
}

export const containerName = (session: SessionId): string =>
  `reprise-${session}`;

export const containerSpec = (
  wish: Wish,
): { Labels: Record<string, string> } => {
  const spec = specOf(wish);
  const hash = createHash("sha256").update(JSON.stringify(spec)).digest("hex");
  return { ...spec, Labels: { ...spec.Labels, [LABELS.spec]: hash } };
};

/** Of a spec, and of the container that was made of it. */
export const specHash = (
  labels: Readonly<Record<string, string>> | null | undefined,
): string | null => labels?.[LABELS.spec] ?? null;

const MEBIBYTE = 1024 * 1024;

const specOf = ({
  session,
  owner,
  image,
  cwd,
  user,
  directories,
  programs,
  settings,
}: Wish) => ({
  Image: image,
  Entrypoint: ["/bin/sh", `${INSIDE.control}/${SUPERVISOR}`],
  Cmd: [],
  User: `${user.uid}:${user.gid}`,
  WorkingDir: INSIDE.state,
  // PATH is the image's.
  Env: [`HOME=${INSIDE.home}`, "LANG=C.UTF-8", `USER=${userName(user)}`],
  Labels: {
    [LABELS.managed]: "true",
    [LABELS.home]: owner,
    [LABELS.session]: session,
  },
  Tty: false,
  OpenStdin: false,
  StopSignal: "SIGTERM",
  // One of the image would look at what the image was made for.
  Healthcheck: { Test: ["NONE"] },
  HostConfig: {
    Init: true,
    RestartPolicy: { Name: "no" },
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges"],
    ReadonlyRootfs: !settings.writable_root,
    Tmpfs: Object.fromEntries(
      IN_MEMORY.map((path) => [
        path,
        // Agents run what they unpack there.
        `rw,exec,nosuid,nodev,mode=${path === "/run" ? "755" : "1777"}`,
      ]),
    ),
    PidsLimit: settings.pids,
    ...(settings.memory_mb !== undefined && {
      Memory: settings.memory_mb * MEBIBYTE,
      MemorySwap: settings.memory_mb * MEBIBYTE,
    }),
    ...(settings.cpus !== undefined && {
      NanoCpus: Math.round(settings.cpus * 1e9),
    }),
    ...(settings.network !== undefined && { NetworkMode: settings.network }),
    LogConfig: {
      Type: "json-file",
      Config: { "max-size": "1m", "max-file": "2" },
    },
    Mounts: [
      bind(directories.control, INSIDE.control, "ro"),
      bind(directories.link, INSIDE.link, "rw"),
      bind(directories.state, INSIDE.state, "rw"),
      bind(programs, INSIDE.programs, "ro"),
      ...(cwd === null ? [] : [bind(cwd, cwd, "rw")]),
      // Root is in the image's own.
      ...(user.uid === 0
        ? []
        : [bind(join(directories.control, PASSWD), "/etc/passwd", "ro")]),
    ],
  },
});

/** Fails where the source is missing, which a volume in the older form would make. */
const bind = (source: string, target: string, mode: "ro" | "rw") => ({
  Type: "bind",
  Source: source,
  Target: target,
  ReadOnly: mode === "ro",
});

export const userName = ({ uid }: { uid: number }): string =>
  uid === 0 ? "root" : "reprise";

/** git and ssh refuse to work for a user who has no name. */
export const passwdFor = (user: { uid: number; gid: number }): string =>
  [
    "root:x:0:0:root:/root:/bin/sh",
    `${userName(user)}:x:${user.uid}:${user.gid}:Reprise:${INSIDE.home}:/bin/sh`,
    "nobody:x:65534:65534:nobody:/nonexistent:/bin/false",
    "",
  ].join("\n");
