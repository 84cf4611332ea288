/** The composition root: reads the configuration, builds everything, closes it in reverse. */
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { z } from "zod";
import { Config, configIssues } from "./contract/config.ts";
import { ExecutionId, PromptId, SessionId, TaskId } from "./contract/id.ts";
import { RepriseError } from "./contract/problem.ts";
import { standaloneExecutors } from "./executors/standalone/executors.ts";
import { cleanEnvironment } from "./kit/clean-environment.ts";
import { readIfThere, remove, writeDurably } from "./kit/durable-file.ts";
import { LogFile } from "./kit/log-file.ts";
import type { OsLock } from "./kit/os-lock.ts";
import { takeOsLock } from "./kit/os-lock.ts";
import { endProcess, identify } from "./kit/process-identity.ts";
import { ulid } from "./kit/ulid.ts";
import { Recorder } from "./records/recorder.ts";
import type { Ids, Log } from "./runtime/ports.ts";
import { startRuntime } from "./runtime/runtime.ts";
import { createApp } from "./server/app.ts";
import { CannotStart, startTrouble } from "./server/cannot-start.ts";
import { listen } from "./server/listen.ts";
import { createSocket } from "./server/socket.ts";
import { loadOrMakeToken } from "./server/token.ts";
import { viewOf } from "./session/view.ts";
import { roomOnDiskOf } from "./store/room.ts";
import { openSqliteStore } from "./store/sqlite/store.ts";

export interface ServeOptions {
  home: string;
  host?: string;
  port?: number;
  recovery?: "startup" | "lazy" | "off";
  /** Ends a server that holds the home, frozen or not, and takes its place. */
  takeOver?: boolean;
  env?: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_PORT = 7420;

/** `server.json`: how clients on this machine find the server of a home. */
const Announcement = z.object({
  url: z.string(),
  pid: z.number(),
  boot_id: z.string(),
  start_time: z.string(),
});

export const serve = async (options: ServeOptions) => {
  try {
    return await start(options);
  } catch (error) {
    throw startTrouble(error, options.home);
  }
};

const start = async (options: ServeOptions) => {
  const { env = process.env } = options;
  const home = resolve(options.home);
  await using closing = new AsyncDisposableStack();

  await makeHome(home);
  const lock = await holdHome(home, options.takeOver ?? false);
  closing.defer(() => lock.release());
  const config = await readConfig(home);
  const version = await ownVersion();
  const token = await loadOrMakeToken(join(home, "token"));
  const log = closing.adopt(openLog(join(home, "server.log")), (opened) =>
    opened.flush(),
  );

  const warnings: string[] = [];
  const store = closing.adopt(
    await openSqliteStore({
      path: join(home, "reprise.db"),
      log,
      onDamage: (words) => warnings.push(words),
    }),
    (s) => s.close(),
  );
  for (const words of warnings) log.error({}, words);
  const term = await store.claim();
  const executors = closing.adopt(
    standaloneExecutors({ home, term, version, log, env }),
    (e) => e.close(),
  );
  const recorder = closing.adopt(
    new Recorder({ root: join(home, "sessions"), store, log }),
    (r) => r.drain(),
  );
  const runtime = startRuntime({
    store,
    executors,
    term,
    log,
    clock: { now: () => new Date() },
    ids,
    overrides: config.agents,
    agentEnv: cleanEnvironment(env),
    workspaces: join(home, "workspaces"),
    idleMinutes: config.idle_minutes,
    startDeadlineMs: config.start_seconds * 1000,
    room: roomOnDiskOf(home),
  });
  closing.defer(
    runtime.bulletin.onAny(({ events, after }) =>
      recorder.record(events, viewOf(after)),
    ),
  );
  closing.defer(() => runtime.close());

  const {
    host = "127.0.0.1",
    port = Number(env["REPRISE_PORT"] ?? DEFAULT_PORT),
  } = options;
  const { operations } = runtime;
  const listening = closing.adopt(
    await listen({
      host,
      port,
      log,
      build: ({ allowedHosts, closing: closingSignal }) => ({
        app: createApp({
          operations,
          token,
          version,
          allowedHosts,
          closing: closingSignal,
          log,
        }),
        socket: createSocket({ operations, token, allowedHosts, log }),
      }),
    }),
    (open) => open.close(),
  );
  const announcement = join(home, "server.json");
  await writeDurably(
    announcement,
    JSON.stringify({
      url: listening.url,
      version,
      ...(await identify(process.pid)),
    }),
  );
  closing.defer(() => remove(announcement));

  const mode = options.recovery ?? config.recovery;
  const recovered =
    mode === "off"
      ? Promise.resolve({ running: 0 })
      : runtime.recovery.startup(mode === "startup");
  log.info({ url: listening.url, term, version, recovery: mode }, "up");

  const open = closing.move();
  return {
    url: listening.url,
    home,
    warnings,
    /** Resolves when everything that lives is found again; requests are taken meanwhile. */
    recovered,
    superseded: runtime.superseded,
    async close() {
      const agentsRunning = runtime.agentsRunning();
      log.info({ agents: agentsRunning }, "going down; agents go on running");
      await open.disposeAsync();
      return { agentsRunning };
    },
  };
};

const makeHome = async (home: string): Promise<void> => {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await mkdir(join(home, "sessions"), { recursive: true, mode: 0o700 });
};

/** One server per home: the lock is the operating system's, so a killed server holds nothing. */
const holdHome = async (home: string, takeOver: boolean): Promise<OsLock> => {
  const path = join(home, "server.lock");
  const lock = takeOsLock(path);
  if (lock !== null) return lock;
  const text = await readIfThere(join(home, "server.json"));
  const holder = text === null ? null : Announcement.parse(JSON.parse(text));
  if (holder === null)
    throw new RepriseError(
      "home_held",
      `Another Reprise server is starting on the home ${home}.`,
    );
  if (!takeOver)
    throw new RepriseError(
      "home_held",
      `The home ${home} is held by process ${holder.pid}, which serves ${holder.url}. Use that server, stop it, or choose another home with --home. If it does not answer, \`reprise up --take-over\` ends it and takes its place.`,
    );
  await endProcess(holder);
  // Its threads may let go of the lock a moment after it counts as dead.
  for (let tries = 0; tries < 500; tries++) {
    const taken = takeOsLock(path);
    if (taken !== null) return taken;
    await delay(10);
  }
  throw new RepriseError(
    "home_held",
    `The home ${home} is held by another process than the one that served it last. Stop that one first.`,
  );
};

const readConfig = async (home: string): Promise<Config> => {
  const path = join(home, "config.json");
  const text = await readIfThere(path);
  if (text === null) return Config.parse({});
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new CannotStart(`${path} is not valid JSON: ${String(error)}.`, {
      cause: error,
    });
  }
  const parsed = Config.safeParse(document);
  if (parsed.success) return parsed.data;
  const issues = configIssues(parsed.error).map((issue) => `\n  ${issue}`);
  throw new CannotStart(`${path} does not fit:${issues.join("")}`);
};

const ownVersion = async (): Promise<string> => {
  const text = await readFile(
    new URL("../package.json", import.meta.url),
    "utf8",
  );
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
};

const openLog = (path: string): Log & { flush(): Promise<void> } => {
  const file = new LogFile(path, (lines, why) =>
    tell(40, `${lines} lines could not be written here: ${String(why)}`),
  );
  const log = pino({ base: null, level: "info" }, file);
  return {
    info: (facts, words) => log.info(facts, words),
    warn: (facts, words) => log.warn(facts, words),
    error: (facts, words) => log.error(facts, words),
    flush: () => file.flush(),
  };
};

/** A line as pino would write it. */
const tell = (level: number, msg: string): string =>
  `${JSON.stringify({ level, time: now(), msg })}\n`;

const now = (): number => Date.now();
const ids: Ids = {
  session: () => SessionId.parse(`ses_${ulid(now())}`),
  task: () => TaskId.parse(`tsk_${ulid(now())}`),
  prompt: () => PromptId.parse(`prm_${ulid(now())}`),
  execution: () => ExecutionId.parse(`exe_${ulid(now())}`),
};
