/**
 * The order inside the large rooms: each sub-room may import those before it, none after it. `.` stands for the files
 * that lie in the room itself.
 */
import type { Violation } from "./check-imports.ts";
import { isTestCode } from "./rooms.ts";
import type { Tree } from "./tree.ts";

export const subRooms: Record<string, readonly string[]> = {
  acp: ["translate", "."],
  agentctl: [
    "base",
    "drivers",
    "execution/hold",
    "storage",
    "execution/journal",
    "execution/report",
    "workspace/files",
    "processes",
    "proxy",
    "daemon",
    "sandbox",
    "run",
    "workspace/search",
    "workspace/git",
    "workspace/capture",
    "workspace/git-look",
    "workspace/changes",
    "workspace/rewind",
    "workspace/upkeep",
    "execution",
    "shells/screen",
    "shells",
    "orders",
    "link",
    ".",
  ],
  agents: [
    "state",
    "launch",
    "agent",
    "claude",
    "codex",
    "copilot",
    "gemini",
    "opencode",
    "demo",
    "overrides",
    "others",
    ".",
  ],
  checkpoint: [
    "format",
    "files",
    "bytes",
    "packs",
    "trees",
    "read",
    "write",
    "threads",
    "capture",
    "restore",
    "archive",
    "upkeep",
    "workers",
    ".",
  ],
  contract: [
    "base",
    "agent",
    "problem",
    "session",
    "task",
    "link",
    "event",
    "api",
    ".",
  ],
  cli: [
    "terminal",
    "parsing",
    "server",
    "text",
    "follow",
    "session/shared",
    "session",
    "shell",
    "task",
    "trash",
    "apply",
    "race",
    "webhook",
    "notify",
    "mcp",
    "doctor",
    "machine",
    ".",
  ],
  executors: [
    "link",
    "standalone",
    "hosts",
    "remote",
    "ssh/there",
    "ssh",
    "docker/engine",
    "docker",
    ".",
  ],
  kit: [".", "time", "data", "files", "processes", "worker-rpc"],
  programs: ["acp", "demo", "relay", "stream-json"],
  "programs/stream-json": ["dialect", "claude", "codex", "."],
  mcp: ["base", "work", "tools", "."],
  runtime: [
    "ports",
    "failures",
    "sessions",
    "messages",
    "callers",
    "places",
    "recovery",
    "reactors",
    "watches",
    "operations",
    "tasks",
    "tasks/reactors",
    ".",
  ],
  server: ["ask", "answer", "routes", "door", "page", "socket", "listen", "."],
  session: [
    "state",
    "line",
    "policy",
    "evolve",
    "resume",
    "view",
    "decide",
    ".",
  ],
  store: [".", "sqlite"],
  "store/sqlite": [
    "base",
    "tables",
    "reading",
    "writing",
    "opening",
    "threads",
    ".",
  ],
};

/** The sub-room a file lies in: the deepest one that is drawn; null where nobody has drawn it. */
const subRoomOf = (
  file: string,
  room: string,
  order: readonly string[],
): string | null => {
  const path = file.slice(`src/${room}/`.length);
  if (!path.includes("/")) return order.includes(".") ? "." : null;
  const around = order.filter((name) => path.startsWith(`${name}/`));
  return around.toSorted((a, b) => b.length - a.length)[0] ?? null;
};

/** Every import that goes up inside a room, and every file in a sub-room that is not drawn. */
export const checkSubRooms = (tree: Tree): Violation[] =>
  Object.entries(subRooms).flatMap(([room, order]) =>
    [...tree.values()]
      .filter(
        ({ path }) => path.startsWith(`src/${room}/`) && !isTestCode(path),
      )
      .flatMap(({ path, edges }) => {
        const from = subRoomOf(path, room, order);
        if (from === null)
          return [{ file: path, what: `lies in no sub-room of ${room}` }];
        return edges.flatMap(({ target }) => {
          if (target.kind !== "file") return [];
          if (!target.path.startsWith(`src/${room}/`)) return [];
          const to = subRoomOf(target.path, room, order);
          return to === null || order.indexOf(to) <= order.indexOf(from)
            ? []
            : [{ file: path, what: `goes up from ${from} to ${target.path}` }];
        });
      }),
  );

/** One file for every arrow that would go up. */
export const upwardPlantings = (
  tree: Tree,
): { path: string; source: string }[] =>
  Object.entries(subRooms).flatMap(([room, order]) => {
    const fileIn = (name: string): string | undefined =>
      [...tree.keys()].find(
        (path) =>
          path.startsWith(`src/${room}/`) &&
          !isTestCode(path) &&
          subRoomOf(path, room, order) === name,
      );
    return order.flatMap((from, at) =>
      order.slice(at + 1).flatMap((to) => {
        const target = fileIn(to);
        if (target === undefined) return [];
        const folder = from === "." ? `src/${room}` : `src/${room}/${from}`;
        const up = "../".repeat(folder.split("/").length - 1);
        return [
          {
            path: `${folder}/planted-${to.replace(/\W/g, "-")}.ts`,
            source: `import type {} from "${up}${target.slice("src/".length)}";\n`,
          },
        ];
      }),
    );
  });
