/**
 * Who may see whom: the table that `docs/architecture.md` draws.
 *
 *   contract ← session, task ← runtime ← server   contract, kit ← journal ← runtime
 *   contract ← client ← local ← cli               serve.ts sees all, nobody sees it
 */
export interface Room {
  /** Rooms, or single files of rooms, that it may import. */
  sees: readonly string[];
  /** What it may import with `import type` only. */
  seesTypes?: readonly string[];
  /** What its tests may see besides. All tests may use the kit. */
  testsSee?: readonly string[];
  /** What it may import with `import()` only: programs that it starts and does not link. */
  starts?: readonly string[];
  packages: readonly string[];
  /** Whether it runs on Node. The other rooms must also run in a browser, with everything they reach. */
  node: boolean;
}

/** The kit's files without a clock, chance or I/O of their own: what a pure room may use. */
const pureKit = [
  "kit/unreachable",
  "kit/time/elapsed",
  "kit/time/backoff",
  "kit/time/minutes-words",
  "kit/data/persistent-map",
  "kit/data/hide-credentials",
  "kit/data/unified-diff",
];

export const rooms: Record<string, Room> = {
  contract: {
    sees: ["kit/data/hide-credentials", "kit/data/nearest"],
    packages: ["zod"],
    node: false,
  },
  session: { sees: ["contract", ...pureKit], packages: [], node: false },
  task: { sees: ["contract", ...pureKit], packages: [], node: false },
  // The engine of journals. It knows none of the things that have one.
  journal: { sees: ["contract", "kit"], packages: [], node: true },
  runtime: {
    sees: ["contract", "session", "task", "journal", "kit"],
    testsSee: ["store/memory"],
    packages: [],
    node: true,
  },
  store: {
    sees: ["contract", "kit"],
    seesTypes: ["runtime/ports"],
    packages: ["zod"],
    node: true,
  },
  records: {
    // What it writes down is the conversation as everyone sees it.
    sees: ["contract", "session/view/project", "kit"],
    seesTypes: ["runtime/ports"],
    // A story of the core is what they write down.
    testsSee: ["session"],
    packages: ["zod"],
    node: true,
  },
  // Who is told what happens, and how it is sent to them.
  webhooks: {
    sees: ["contract", "journal", "kit"],
    seesTypes: ["runtime/ports"],
    testsSee: ["store/memory", "store/fixtures"],
    packages: [],
    node: true,
  },
  streams: { sees: ["contract", "kit"], packages: ["zod", "ws"], node: true },
  executors: {
    sees: ["contract", "streams", "kit"],
    seesTypes: ["runtime/ports"],
    // The bundler is there in a clone only, so it is loaded when it is needed.
    starts: ["esbuild"],
    packages: ["zod", "ws"],
    node: true,
  },
  checkpoint: {
    sees: ["contract", "kit"],
    seesTypes: ["runtime/ports"],
    packages: ["zod"],
    node: true,
  },
  agents: {
    sees: ["contract", "kit"],
    packages: ["zod", "@agentclientprotocol/sdk"],
    node: true,
  },
  // The agents that Reprise brings: programs of their own, started like any other agent.
  programs: {
    sees: ["agents", "contract", "kit"],
    packages: ["zod", "@agentclientprotocol/sdk"],
    node: true,
  },
  agentctl: {
    sees: ["contract", "agents", "checkpoint", "streams", "kit"],
    packages: [
      "zod",
      "ws",
      "@agentclientprotocol/sdk",
      "@xterm/headless",
      "@xterm/addon-serialize",
    ],
    node: true,
  },
  server: {
    sees: ["contract", "runtime", "kit"],
    packages: ["zod", "hono", "@hono/node-server", "ws"],
    node: true,
  },
  client: {
    sees: [
      "contract",
      "session/view/project",
      // For whoever shows a conversation.
      "session/view/window-fold",
      ...pureKit,
    ],
    // A story of the core is what it reads.
    testsSee: ["session"],
    packages: ["zod"],
    node: false,
  },
  // The MCP door: tools over a typed client. The command line and the server both open it.
  mcp: {
    sees: ["contract", "client", "kit"],
    packages: ["zod", "@modelcontextprotocol/server"],
    node: true,
  },
  // The server of this machine: where it is, what it may be told of the person, and how one is started.
  local: { sees: ["contract", "client", "kit"], packages: ["zod"], node: true },
  // The door for editors: an ACP agent that is a client of the server.
  acp: {
    sees: ["contract", "client", "local", "kit"],
    // A story of the core is what it tells.
    testsSee: ["session"],
    packages: ["zod", "@agentclientprotocol/sdk"],
    node: true,
  },
  cli: {
    sees: ["contract", "client", "local", "kit"],
    // One command reads YAML: the others start without it.
    starts: ["yaml"],
    packages: ["zod"],
    node: true,
  },
  kit: { sees: [], packages: [], node: true },
  serve: {
    sees: [
      "contract",
      "session",
      "task",
      "runtime",
      "store",
      "records",
      "webhooks",
      "executors",
      "agents",
      "server",
      "client",
      "kit",
    ],
    // A server that nobody speaks MCP to starts without it.
    starts: ["mcp"],
    packages: ["pino", "zod"],
    node: true,
  },
  bin: {
    sees: ["contract", "cli", "kit"],
    starts: ["serve", "mcp", "agentctl", "acp", "executors/remote/host"],
    packages: [],
    node: true,
  },
};

/** `src/store/sqlite/claim.ts` → `store`; `src/bin.ts` → `bin`. Null for a file outside `src`. */
export const roomOf = (file: string): string | null =>
  /^src\/([^/]+?)(\.ts|\/.*)$/.exec(file)?.[1] ?? null;

/** What serves only tests and still lies beside the core that it plays through. */
const notYetInFixtures = [
  "src/session/invariants.ts",
  "src/session/testing.ts",
];

/** Tests, and `fixtures/` with what serves only them. It runs on Node wherever it stands, and no other code may import it. */
export const isTestCode = (file: string): boolean =>
  /\.test\.ts$|\/fixtures\//.test(file) || notYetInFixtures.includes(file);

/** Whether a file (`src/kit/time/backoff.ts`) is one of these rooms or files (`kit`, `kit/backoff`). */
export const isAmong = (file: string, places: readonly string[]): boolean =>
  places.some(
    (place) => file === `src/${place}.ts` || file.startsWith(`src/${place}/`),
  );
