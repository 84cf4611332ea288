/** The composition root: reads the configuration, builds everything, closes it in reverse. */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod";
import type { RecoveryMode } from "./contract/api/config.ts";
import { PageSettings } from "./contract/api/first-view.ts";
import {
  KIND_DOCKER,
  KIND_REMOTE,
  KIND_SSH,
  LOCAL,
} from "./contract/base/place.ts";
import { hostsOfKind } from "./contract/link/executor-settings.ts";
import { dockerExecutors } from "./executors/docker/executors.ts";
import { executorsOf } from "./executors/executors.ts";
import { remoteExecutors } from "./executors/remote/executors.ts";
import { sshExecutors } from "./executors/ssh/executors.ts";
import { standaloneExecutors } from "./executors/standalone/executors.ts";
import { credentialVariablesOf } from "./contract/agent/login-variables.ts";
import { remove } from "./kit/files/durable-file.ts";
import { Recorder } from "./records/recorder.ts";
import { startRuntime } from "./runtime/runtime.ts";
import { openAgeClock } from "./serve/age-clock.ts";
import {
  agentEnvironment,
  isNamedIn,
  variableFor,
} from "./serve/agent-environment.ts";
import { announce } from "./serve/announcement.ts";
import { claimTerm } from "./serve/claim-term.ts";
import { readConfig } from "./serve/config.ts";
import { forkNotesIn } from "./serve/fork-notes.ts";
import { homeOwnership } from "./serve/home-ownership.ts";
import { watchHome } from "./serve/home-watch.ts";
import { holdHome, LOCK, makeHome } from "./serve/home.ts";
import { makeIds } from "./serve/ids.ts";
import { loadOrMakeLabelKey } from "./serve/label-key.ts";
import { openLog } from "./serve/log.ts";
import { mcpInServer } from "./serve/mcp-in-server.ts";
import { findPage } from "./serve/page/find-page.ts";
import { ownDirectoriesIn } from "./serve/own-directories.ts";
import { loadOrMakeOwnerId } from "./serve/owner-id.ts";
import { sweepHome } from "./serve/sweep-home.ts";
import { startWebhooks } from "./serve/webhooks.ts";
import { createApp } from "./server/app.ts";
import { cannotStart, startTrouble } from "./server/door/cannot-start.ts";
import { listen } from "./server/listen/listen.ts";
import { createSocket } from "./server/socket/socket.ts";
import { loadOrMakeToken } from "./server/door/token.ts";
import { derivation } from "./session/view/derive.ts";
import { roomOnDiskOf } from "./store/room.ts";
import { openSqliteStore } from "./store/sqlite/store.ts";

export interface ServeOptions {
  home: string;
  host?: string;
  port?: number;
  recovery?: RecoveryMode;
  /** Ends a server that holds the home, frozen or not, and takes its place. */
  takeOver?: boolean;
  /** Called with what the user has to know while the server runs. */
  tell?: (words: string) => void;
  env?: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_PORT = 7420;
/** How often the home is looked at when nobody asks for anything. */
const WATCH_MS = 1000;

export const serve = async (options: ServeOptions) => {
  try {
    return await start(options);
  } catch (error) {
    throw startTrouble(error, options.home);
  }
};

const start = async (options: ServeOptions) => {
  const { env = process.env } = options;
  await using closing = new AsyncDisposableStack();

  const home = await makeHome(resolve(options.home));
  const lock = await holdHome(home, options.takeOver ?? false);
  closing.defer(() => lock.release());
  const announcement = closing.adopt(await announce(home), (made) =>
    made.withdraw(),
  );
  await sweepHome(home);
  const config = await readConfig(home);
  // Where older releases had files that are nothing after a restart.
  await remove(join(home, "tmp"));
  const version = await ownVersion();
  const token = await loadOrMakeToken(join(home, "token"));
  const logLimits = {
    maxBytes: config.log.max_mb * 1024 ** 2,
    files: config.log.files,
  };
  const log = closing.adopt(
    openLog(join(home, "server.log"), logLimits),
    (opened) => opened.close(),
  );

  const warnings: string[] = [];
  const database = join(home, "reprise.db");
  const store = closing.adopt(
    await openSqliteStore({
      path: database,
      watchedPaths: [home, join(home, LOCK)],
      log,
      onDamage: (words) => {
        if (warnings.includes(words)) return;
        warnings.push(words);
        log.error({}, words);
      },
      derive: derivation,
    }),
    (s) => s.close(),
  );
  const homeWatch = closing.adopt(
    watchHome({
      home,
      files: [database],
      everyMs: WATCH_MS,
      tell(words) {
        log.error({}, words);
        options.tell?.(words);
      },
    }),
    (watch) => watch.close(),
  );
  const term = await claimTerm(store, home);
  const owner = await loadOrMakeOwnerId(home);
  const executors = closing.adopt(
    executorsOf({
      [LOCAL.kind]: standaloneExecutors({
        home,
        owner,
        version,
        log,
        logLimits,
        env,
        checkHome: () => homeWatch.check(),
      }),
      [KIND_REMOTE]: remoteExecutors({
        hosts: hostsOfKind(config.executors, KIND_REMOTE),
        home,
        owner,
        version,
        log,
      }),
      [KIND_SSH]: sshExecutors({
        hosts: hostsOfKind(config.executors, KIND_SSH),
        home,
        owner,
        version,
        log,
        logLimits,
        env,
        checkHome: () => homeWatch.check(),
      }),
      [KIND_DOCKER]: dockerExecutors({
        home,
        owner,
        version,
        log,
        logLimits,
        checkHome: () => homeWatch.check(),
        config: config.docker,
      }),
    }),
    (e) => e.close(),
  );
  const recorder = closing.adopt(
    new Recorder({ root: join(home, "sessions"), store, log }),
    (r) => r.drain(),
  );
  const workspaces = join(home, "workspaces");
  const roomOnDisk = roomOnDiskOf(home);
  const ages = await openAgeClock(home, log);
  closing.defer(() => ages.drain());
  const clock = { now: () => ages.stamp() };
  const webhooks = closing.adopt(
    await startWebhooks({
      home,
      version,
      env,
      settings: config,
      store,
      term,
      clock,
      log,
    }),
    (each) => each.close(),
  );
  const runtime = startRuntime({
    store,
    executors,
    ownership: homeOwnership(store, term),
    log,
    clock,
    ages,
    ids: makeIds(Date.now),
    overrides: config.agents,
    agentEnv: agentEnvironment(env, config.pass_env),
    isNamed: isNamedIn(config.pass_env),
    hosts: Object.entries(config.executors).map(([id, { kind }]) => ({
      kind,
      id,
    })),
    remoteTimeoutMs: config.remote_timeout_seconds * 1000,
    serverVariable: variableFor(env),
    profiles: config.profiles,
    loginVariables: credentialVariablesOf,
    labelKey: await loadOrMakeLabelKey(home),
    workspaces,
    ownDirectories: ownDirectoriesIn(workspaces),
    forkNotes: forkNotesIn(join(workspaces, ".forks")),
    version,
    retention: config,
    storageDamage: () => warnings,
    discardRecords: (session) => recorder.discard(session),
    idleMinutes: config.idle_minutes,
    startDeadlineMs: config.start_seconds * 1000,
    outboxEntriesOf: webhooks.outboxEntriesOf,
    checkpoints: config.checkpoints,
    ...(config.budget !== undefined && { budget: config.budget }),
    ...(config.on_quota !== undefined && { onQuota: config.on_quota }),
    checkpointMs: config.checkpoint_seconds * 1000,
    maxCheckpointBytes: config.checkpoint_most_gib * 1024 ** 3,
    safetyMs: config.safety_minutes * 60_000,
    room: {
      async check() {
        homeWatch.check();
        await roomOnDisk.check();
      },
    },
  });
  closing.defer(
    runtime.commits.onAny(({ events, derived }) =>
      recorder.record(events, derived.view),
    ),
  );
  closing.defer(runtime.commits.onAny(webhooks.committed));
  closing.defer(runtime.taskCommits.onAny(webhooks.committed));
  closing.defer(() => runtime.close());

  const stopped = new AbortController();
  closing.defer(() => stopped.abort());
  const page = findPage({ log, tell: options.tell, signal: stopped.signal });

  const { host = "127.0.0.1", port = portOf(env["REPRISE_PORT"]) } = options;
  const mode = options.recovery ?? config.recovery;
  const operations = { ...runtime.operations, ...webhooks.operations };
  const listening = closing.adopt(
    await listen({
      host,
      port,
      log,
      build: ({ allowedHosts, closing: closingSignal }) => {
        const app = createApp({
          operations,
          token,
          version,
          allowedHosts,
          closing: closingSignal,
          log,
          page,
          settings: PageSettings.parse({
            ...config,
            recovery: mode,
            config_file: join(home, "config.json"),
            user_home: homedir(),
          }),
          mcp: (request) => mcp(request),
        });
        const mcp = mcpInServer({
          fetch: (request) => app.fetch(request),
          hosts: allowedHosts,
          token,
          version,
          home,
          closing: closingSignal,
        });
        return {
          app,
          socket: createSocket({ operations, token, allowedHosts, log }),
        };
      },
    }),
    (open) => open.close(),
  );
  const { url } = listening;
  closing.defer(await announcement.serving({ url, version }));

  const recovered = runtime.recovery.startup(mode);
  log.info({ url, term, version, recovery: mode }, "up");

  const open = closing.move();
  return {
    url,
    home,
    warnings,
    /** Resolves when everything that lives is found again; requests are taken meanwhile. */
    recovered,
    superseded: runtime.superseded,
    homeRemoved: homeWatch.removed,
    async close() {
      const agentsRunning = runtime.agentsRunning();
      log.info({ agents: agentsRunning }, "going down; agents go on running");
      await open.disposeAsync();
      return { agentsRunning };
    },
  };
};

const ownVersion = async (): Promise<string> => {
  const text = await readFile(
    new URL("../package.json", import.meta.url),
    "utf8",
  );
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
};

const portOf = (text: string | undefined): number => {
  if (text === undefined) return DEFAULT_PORT;
  const port = z.coerce.number().int().min(0).max(65_535).safeParse(text);
  if (port.success) return port.data;
  throw cannotStart(`REPRISE_PORT is no port: "${text}".`);
};
