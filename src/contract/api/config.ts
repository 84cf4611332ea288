import * as z from "zod";
import { nearest } from "../../kit/data/nearest.ts";
import { Budget } from "../base/budget.ts";
import {
  AgentId,
  AgentOverride,
  BUILT_IN_AGENTS,
  isBuiltIn,
} from "../agent/agent.ts";
import { Profile } from "./profile.ts";
import { NotifySettings, Webhooks } from "./webhook-settings.ts";
import { agentsOf, OnQuota } from "../agent/on-quota.ts";
import { DockerConfig, ExecutorSettings } from "../link/executor-settings.ts";

/** How much of `server.log` and of agentctl's log is kept: `max_mb` MiB in each of `files` files. */
const LogSettings = z.strictObject({
  max_mb: z.number().positive().default(10),
  files: z.int().min(1).max(100).default(5),
});

/** What the server brings back when it starts: also idle sessions, those that were cut off, nothing by itself, or nothing at all. */
export const RecoveryMode = z.enum(["all", "startup", "lazy", "off"]);
export type RecoveryMode = z.infer<typeof RecoveryMode>;

/** An entry for an agent that nobody knows would be ignored, and with it what it was to change. */
const Agents = z
  .record(AgentId, AgentOverride)
  .superRefine((agents, context) => {
    for (const [id, { command }] of Object.entries(agents)) {
      if (isBuiltIn(id) || command !== undefined) continue;
      const meant = nearest(id, BUILT_IN_AGENTS);
      context.addIssue({
        code: "custom",
        path: [id],
        message: `there is no such agent, and no command that would define it${meant === undefined ? "" : `; did you mean ${meant}?`}`,
      });
    }
  });

/** A profile cannot be taken for an agent: the id of an agent is a profile already. */
const faultInName = (
  name: string,
  agents: z.infer<typeof Agents>,
): string | null => {
  if (isKnown(name, agents))
    return `${name} is the name of an agent, which is a profile already: give this one a name of its own`;
  const { error } = AgentId.safeParse(name);
  return error === undefined
    ? null
    : `the name of a profile ${error.issues[0]?.message ?? "must be another one"}`;
};

/** A name of a variable, in which `*` stands for any characters. */
const VariablePattern = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_*][A-Za-z0-9_*]*$/);

/** `config.json` in the home. Flags and `REPRISE_*` variables win over it. */
export const Config = z
  .strictObject({
    recovery: RecoveryMode.default("startup"),
    idle_minutes: z.number().positive().nullable().default(30),
    /** Whether the page resumes a session that somebody opens, where its agent restores its own session. */
    auto_resume: z.boolean().default(true),
    /** How long an agent may take until it takes prompts. */
    start_seconds: z.number().positive().default(60),
    /** Whether sessions are checkpointed unless they say otherwise. */
    checkpoints: z.boolean().default(true),
    /** How long a checkpoint may keep the next prompt waiting. */
    checkpoint_seconds: z.number().positive().default(10),
    /** A workspace that holds more is not captured. */
    checkpoint_most_gib: z.number().positive().default(16),
    /** How long a turn may go on until its workspace is captured on the way. */
    safety_minutes: z.number().positive().default(5),
    ttl_days: z.number().positive().nullable().default(null),
    retention_days: z.number().positive().nullable().default(null),
    trash_days: z.number().nonnegative().default(7),
    log: LogSettings.prefault({}),
    /** What agents get of the server's environment besides what they always get (SES-72). */
    pass_env: z.array(VariablePattern).max(1000).default([]),
    agents: Agents.default({}),
    /** Other hosts on which agents can run. */
    executors: ExecutorSettings.default({}),
    /** Containers on this machine in which agents can run. */
    docker: DockerConfig.prefault({}),
    /** After how long without an answer a host counts as failed. It is tried again all the same. */
    remote_timeout_seconds: z.number().positive().default(300),
    /** Who is told what happens. */
    webhooks: Webhooks.default([]),
    notify: NotifySettings.prefault({}),
    /** What each session may spend that does not say. */
    budget: Budget.optional(),
    /** What sessions do when their agent's quota is used up, unless they say. */
    on_quota: OnQuota.optional(),
    /** What sessions are that name one of these (SES-210). */
    profiles: z.record(z.string(), Profile).default({}),
  })
  .superRefine((config, context) => {
    const refuse = (path: string[], message: string): void =>
      context.addIssue({ code: "custom", path, message });
    const { agents, executors, profiles, on_quota } = config;
    checkStandIns(["on_quota"], on_quota, agents, refuse);
    for (const [name, profile] of Object.entries(profiles)) {
      const at = ["profiles", name];
      const fault = faultInName(name, agents);
      if (fault !== null) refuse(at, fault);
      if (!isKnown(profile.agent, agents)) {
        const known = [...BUILT_IN_AGENTS, ...Object.keys(agents)];
        const meant = nearest(profile.agent, known);
        refuse(
          [...at, "agent"],
          `there is no agent ${profile.agent}${meant === undefined ? "" : `; did you mean ${meant}?`}`,
        );
      }
      if (profile.host !== undefined && executors[profile.host] === undefined)
        refuse([...at, "host"], `there is no host ${profile.host}`);
      checkStandIns([...at, "on_quota"], profile.on_quota, agents, refuse);
    }
  });

const isKnown = (id: string, agents: z.infer<typeof Agents>): boolean =>
  isBuiltIn(id) || agents[id] !== undefined;

const checkStandIns = (
  path: string[],
  on_quota: OnQuota | undefined,
  agents: z.infer<typeof Agents>,
  refuse: (path: string[], message: string) => void,
): void => {
  for (const id of agentsOf(on_quota ?? "wait") ?? [])
    if (!isKnown(id, agents)) refuse(path, `there is no agent ${id}`);
};
export type Config = z.infer<typeof Config>;

/** What does not fit in a configuration, one line each; what concerns no field stands alone. */
export const configIssues = (error: z.ZodError): string[] =>
  error.issues.map((issue) => {
    const { path } = issue;
    // What is wrong with a name is inside.
    const [inner] = issue.code === "invalid_key" ? issue.issues : [];
    const message = inner?.message ?? issue.message;
    return path.length === 0
      ? message
      : `${path.map(String).join(".")}: ${message}`;
  });
