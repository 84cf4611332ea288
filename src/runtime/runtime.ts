/** The runtime, put together: from a store and executors to operations. */
import type { PlaceRef } from "../contract/base/place.ts";
import type { Budget } from "../contract/base/budget.ts";
import type { AgentOverride } from "../contract/agent/agent.ts";
import type { OnQuota } from "../contract/agent/on-quota.ts";
import type { Profiles } from "../contract/api/profile.ts";
import type { SessionId } from "../contract/base/id.ts";
import { Gate } from "../kit/time/gate.ts";
import { Later } from "../kit/time/later.ts";
import type { Retention } from "../session/view/retention.ts";
import type { AgentSessionDeps } from "./callers/agent-session.ts";
import { CommitFeed } from "../journal/commit-feed.ts";
import { Engine } from "../journal/engine.ts";
import type { Receipts } from "../journal/receipts.ts";
import { Shelf } from "../journal/shelf.ts";
import { serverClosing } from "./failures/server-closing.ts";
import { CallerEnvironments } from "./callers/caller-environments.ts";
import { Captures } from "./places/captures.ts";
import { DueWatch } from "./watches/due-watch.ts";
import { followHome } from "./home-stream.ts";
import { HeldPlaces } from "./places/held-places.ts";
import { KeptSessions } from "./places/kept-sessions.ts";
import { ReportIntake } from "./places/report-intake.ts";
import { watchIdle } from "./watches/idle-watch.ts";
import { Lanes } from "../kit/time/lanes.ts";
import { operationsOf } from "./operations/operations.ts";
import { Absences } from "./places/absences.ts";
import { Places } from "./places/places.ts";
import type {
  Ages,
  Clock,
  Ids,
  Log,
  Room,
  ForkNotes,
  OwnDirectories,
} from "./ports/home.ts";
import type { Executors } from "./ports/executors.ts";
import type { Ownership } from "./ports/ownership.ts";
import type { Store } from "./ports/store.ts";
import type { OutboxEntriesOf } from "./ports/webhook-store.ts";
import { sessionIntents } from "./sessions/session-intents.ts";
import { reactWith } from "./reactors/react.ts";
import { Recovery } from "./recovery/recovery.ts";
import { watchRetention } from "./watches/retention-watch.ts";
import { watchLimits } from "./watches/limit-watch.ts";
import { watchLongTurns } from "./watches/safety-watch.ts";
import {
  type Sessions,
  sessions,
  sessionStore,
} from "./sessions/session-journal.ts";
import { Sightings } from "./places/sightings.ts";
import { startTasks } from "./start-tasks.ts";

const AGENT_START_MS = 60_000;
const RESUME_MS = 90_000;
/** Longer than an agentctl may take to come up. */
const REACH_MS = 90_000;
/** A large vault takes hours; one that hangs is noticed by the link. */
const UPKEEP_MS = 24 * 60 * 60_000;
const STARTS_AT_A_TIME = 8;
const SILENT_MS = 10 * 60_000;
const CHECKPOINT_MS = 10_000;
const DELIVERY_MS = 10_000;
const SAFETY_MS = 5 * 60_000;

export interface RuntimeParts {
  store: Store;
  executors: Executors;
  ownership: Ownership;
  clock: Clock;
  /** By which it is told how old sessions are; the clock unless it is said. */
  ages?: Ages;
  ids: Ids;
  log: Log;
  overrides: Readonly<Record<string, AgentOverride>>;
  agentEnv: Readonly<Record<string, string>>;
  /** Which variables were named to go to other hosts, too; none unless it is said. */
  isNamed?: (variable: string) => boolean;
  /** Other hosts on which sessions can be started; no two have the same name. */
  hosts?: readonly PlaceRef[];
  /** For how long one may be away until its sessions are told of an error. */
  remoteTimeoutMs?: number;
  /** A variable of the server's own environment, for profiles that name it. */
  serverVariable?: (name: string) => string | undefined;
  profiles?: Profiles;
  /** The variables that are a login to an agent. */
  loginVariables: AgentSessionDeps["loginVariables"];
  /** A secret of the home, the same after every restart: labels of credentials are made with it. */
  labelKey: string;
  workspaces: string;
  ownDirectories: OwnDirectories;
  forkNotes: ForkNotes;
  /** Of this program. */
  version: string;
  /** How long sessions are kept; nobody looks after it when it is not said. */
  retention?: Retention;
  /** What is known to be wrong with the database as a whole, in words. */
  storageDamage?: () => readonly string[];
  /** Removes the readable files of a session. */
  discardRecords?: (session: SessionId) => Promise<void>;
  idleMinutes: number | null;
  startDeadlineMs?: number;
  resumeDeadlineMs?: number;
  deliveryMs?: number;
  /** How long upkeep waits for a place to answer, and then for what it does there. */
  reachMs?: number;
  upkeepMs?: number;
  /** How long start-up waits for places that do not answer. */
  placesMs?: number;
  /** Whether sessions are checkpointed unless they say otherwise. */
  checkpoints?: boolean;
  /** What sessions may spend that do not say. */
  budget?: Budget;
  /** What sessions do when their agent's quota is used up, unless they say. */
  onQuota?: OnQuota;
  checkpointMs?: number;
  maxCheckpointBytes?: number;
  /** How long a turn may go on until its workspace is captured on the way. */
  safetyMs?: number;
  room?: Room;
  /** Which webhooks and notifications are to be told; nobody is when it is not said. */
  outboxEntriesOf?: OutboxEntriesOf;
}

const KEEP_ALL: Retention = {
  ttl_days: null,
  retention_days: null,
  trash_days: 7,
};

/** Where nothing lies on a disk. */
const roomEnough: Room = { check: async () => undefined };

export const startRuntime = (options: RuntimeParts) => {
  const callers = new CallerEnvironments(options.labelKey);
  const { term } = options.ownership;
  const { isNamed = () => false, hosts = [] } = options;
  const { serverVariable = () => undefined, profiles = {} } = options;
  const parts = {
    ...options,
    term,
    callers,
    isNamed,
    hosts,
    serverVariable,
    profiles,
  };
  const { store, clock, log } = parts;
  const { startDeadlineMs = AGENT_START_MS, safetyMs = SAFETY_MS } = parts;
  const { checkpointMs = CHECKPOINT_MS, outboxEntriesOf = () => [] } = parts;
  const superseded = Promise.withResolvers<void>();
  const held = new HeldPlaces({
    ...parts,
    onHomeLost: () => superseded.resolve(),
  });
  const lanes = new Lanes();
  const shelf = new Shelf<Sessions>(sessions);
  const commits = new CommitFeed<Sessions>();
  const engine = new Engine<Sessions>({
    kind: sessions,
    store: sessionStore(store, outboxEntriesOf),
    terms: held,
    clock,
    lanes,
    shelf,
    commits,
  });
  // What is known of a damaged session cannot be added to, whatever is done about it.
  store.onDamaged((session) => shelf.drop(session));
  commits.onAny(({ after }) => callers.review(after));
  const absences = new Absences(parts.remoteTimeoutMs ?? 0, () =>
    performance.now(),
  );
  const places = new Places(parts.executors, held, log, absences);
  const intake = new ReportIntake(engine, places, log);
  const later = new Later();
  const captures = new Captures();
  const react = reactWith({
    ...parts,
    later,
    starts: new Gate(STARTS_AT_A_TIME),
    engine,
    places,
    held,
    captures,
    startDeadlineMs,
    deliveryMs: parts.deliveryMs ?? DELIVERY_MS,
    checkpointMs,
  });
  const intents = sessionIntents(commits, { react, later, log });
  const recovery = new Recovery({
    ...parts,
    engine,
    places,
    intents,
    shelf,
    startsAtATime: STARTS_AT_A_TIME,
  });
  const due = new DueWatch({ ...parts, engine, commits, held, recovery });
  const longTurns = watchLongTurns({ engine, shelf, log }, safetyMs);
  const limits = watchLimits({ engine, shelf, log, clock });
  const idle = watchIdle({ engine, shelf, log }, parts.idleMinutes);

  const sightings = new Sightings({ ...parts, places });
  const keepers = [
    engine,
    places,
    intents,
    captures,
    intake,
    sightings,
    callers,
    due,
  ];
  const kept = new KeptSessions({
    ...parts,
    held,
    keepers,
    leave: (at) => places.leave(at),
  });

  const closing = new AbortController();
  const receipts: Receipts = {
    find: (scope, key) => store.receipt(scope, key),
    put: (receipt) => store.putReceipt(term, receipt),
  };
  const ages = parts.ages ?? {
    now: () => clock.now(),
    since: (stamp: string) => stamp,
  };
  const operations = operationsOf({
    ...parts,
    closing: closing.signal,
    held,
    sightings,
    receipts,
    ages,
    engine,
    lanes,
    commits,
    places,
    recovery,
    captures,
    retention: parts.retention ?? KEEP_ALL,
    storageDamage: parts.storageDamage ?? (() => []),
    discardRecords: parts.discardRecords ?? (async () => undefined),
    checkpoints: parts.checkpoints ?? true,
    budget: parts.budget ?? null,
    checkpointMs,
    room: parts.room ?? roomEnough,
    resumeDeadlineMs: parts.resumeDeadlineMs ?? RESUME_MS,
    reachMs: parts.reachMs ?? REACH_MS,
    upkeepMs: parts.upkeepMs ?? UPKEEP_MS,
    patience: { startMs: 2 * startDeadlineMs, silentMs: SILENT_MS },
  });
  const tasks = startTasks({
    ...parts,
    operations,
    receipts,
    held,
    sessions: engine,
    sessionCommits: commits,
    recovery,
    outboxEntriesOf,
  });
  const { retention: policy } = parts;
  const retention =
    policy === undefined
      ? null
      : watchRetention(
          async (signal) => ({
            ...(await operations.keepRetention(signal)),
            purged_tasks: await tasks.emptyTrash(ages, policy),
          }),
          log,
        );

  return {
    /** Resolves when another server has taken over: this one can do nothing any more. */
    superseded: superseded.promise,
    commits,
    taskCommits: tasks.commits,
    held,
    kept,
    recovery,
    operations: {
      ...operations,
      ...tasks.operations,
      followHome: (after: number | undefined, signal: AbortSignal) =>
        followHome(
          { store, commits, taskCommits: tasks.commits },
          after,
          signal,
        ),
    },
    /** Agents that live, or are coming up, as far as the journal knows. */
    agentsRunning: (): number =>
      [...shelf.values()].filter(
        ({ execution }) =>
          execution !== null && execution.phase.kind !== "stopping",
      ).length,
    /** Takes nothing new from agents; what is under way is finished. */
    async close(): Promise<void> {
      idle.close();
      limits.close();
      longTurns.close();
      // It waits for what it has begun, which ends when nobody waits for sessions any more.
      const tasksClosed = tasks.close();
      await retention?.close();
      // What is due may wait for a place that never answers: recovery stops waiting for it.
      const recovered = recovery.close();
      await due.close();
      later.close();
      await recovered;
      await intents.close();
      // Nothing more is done for sessions: whoever waits for one in a lane, or holds captures meanwhile, would wait in vain.
      closing.abort(serverClosing());
      await tasksClosed;
      await captures.drain();
      await intake.close();
      await lanes.drain();
      await held.close();
    },
  };
};
