import { ofLaterRelease } from "../../client/client.ts";
import { limitWords, usedUpWords } from "../../contract/base/budget.ts";
import type { Checkpoint } from "../../contract/session/checkpoint.ts";
import { describeEnding } from "../../contract/session/ending.ts";
import { explainRestriction } from "../../contract/agent/restriction.ts";
import type { Event } from "../../contract/event/event.ts";
import { contextOf, contextWords } from "../../contract/base/usage.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { Sink } from "../terminal/world.ts";
import { count } from "../terminal/age.ts";
import { cut } from "../terminal/width.ts";

/** One event on one line: seq, time, type, the gist. */
export const eventLine = (event: Event, { palette, columns }: Sink): string => {
  const head = `${String(event.seq).padStart(6)}  ${event.at.slice(11, 19)}  `;
  const type = event.type.padEnd(28);
  const room = columns === null ? 200 : columns - head.length - type.length - 2;
  const gist = cut(oneLine(gistOf(event)), Math.max(0, room));
  return `${palette.dim(head)}${type}  ${gist}`.trimEnd();
};

const asWords = ([name, value]: [string, string | undefined]): string =>
  `${name} ${value ?? ""}`;

const gistOf = (event: Event): string => {
  switch (event.type) {
    case "session.created":
      return `${event.data.definition.agent} in ${event.data.cwd}`;
    case "session.state_changed":
      return `${event.data.from} → ${event.data.to} (${event.data.reason})${after(event.data.message)}`;
    case "session.definition.changed":
      return event.data.definition.agent;
    case "session.changed":
      return Object.entries(event.data).map(asWords).join(", ");
    case "session.change.requested": {
      const { change, options, budget, ...asked } = event.data;
      const all = {
        ...asked,
        ...options,
        ...(budget !== undefined && { budget: limitWords(budget) }),
      };
      return `${change}: ${Object.entries(all).map(asWords).join(", ")}`;
    }
    case "session.change.refused":
      return `${event.data.change}: ${explainRestriction(event.data.restriction)}`;
    case "session.resume.requested":
      return event.data.trigger;
    case "session.execution.started":
      return `epoch ${event.data.epoch}, ${event.data.path}, ${event.data.strategy}`;
    case "session.execution.ended":
      return `epoch ${event.data.epoch} ${describeEnding(event.data.ending)}`;
    case "session.execution.stopping":
      return `epoch ${event.data.epoch} (${event.data.reason})`;
    case "session.agentctl_starting":
      return event.data.runtime;
    case "session.agentctl_ready":
      return `${event.data.runtime}, build ${event.data.build}`;
    case "session.agentctl_error":
      return `${event.data.code}: ${event.data.message}`;
    case "session.agent.ready":
      return event.data.agent_info === null
        ? `epoch ${event.data.epoch}`
        : `${event.data.agent_info.name} ${event.data.agent_info.version ?? ""}`;
    case "session.resumed":
      return `${event.data.resume.grade ?? "nothing to do"}${after(event.data.resume.lost)}`;
    case "session.token.recorded":
      return event.data.token;
    case "session.token.cleared":
      return event.data.reason;
    case "session.transcript.recorded":
      return `turn ${event.data.turn}, ${event.data.bytes} bytes`;
    case "session.prompt.queued":
      return `${event.data.prompt_id} ${event.data.text}`;
    case "session.prompt.delivered":
    case "session.prompt.requeued":
    case "session.turn.started":
      return `${event.data.prompt_id} turn ${event.data.turn}`;
    case "session.prompt.cancelled":
      return event.data.prompt_id;
    case "session.prompt.uncertain":
      return `${event.data.prompt_id} ${event.data.reason}`;
    case "session.prompt.resolved":
      return `${event.data.prompt_id} ${event.data.action}`;
    case "session.history.injected":
      return `${event.data.text.length} characters before ${event.data.prompt_id}`;
    case "session.prompt.prepared":
      return `${event.data.text.length} characters for ${event.data.prompt_id}`;
    case "session.turn.ended":
      return `turn ${event.data.turn} ${event.data.outcome} (${event.data.stop_reason})${after(event.data.error)}`;
    case "session.turn.interrupted":
      return `turn ${event.data.turn}: ${event.data.reason}`;
    case "session.turn.cancel_requested":
      return `turn ${event.data.turn}${after(event.data.limit ?? null)}`;
    case "session.budget.reached":
      return usedUpWords(event.data);
    case "session.budget.changed":
      return limitWords(event.data.budget);
    case "session.message.added":
      return `${event.data.message.role}: ${event.data.message.text}`;
    case "session.message.updated":
      return `${event.data.id} ${event.data.append ?? event.data.text ?? ""}`;
    case "session.tool.updated":
      return `${event.data.id} ${event.data.tool.title ?? ""} ${event.data.tool.status ?? ""}`;
    case "session.plan.updated":
      return `${event.data.entries.length} entries`;
    case "session.permission.requested":
      return `${event.data.permission.id} ${event.data.permission.title}`;
    case "session.permission.answered":
      return `${event.data.id} ${event.data.option_id} (${event.data.by ?? "person"})`;
    case "session.permission.delivered":
      return event.data.id;
    case "session.permission.closed":
      return `${event.data.id} ${event.data.reason}`;
    case "session.usage":
      return `the context holds ${contextWords(contextOf(event.data))}`;
    case "session.notice":
      return `${event.data.level}: ${event.data.text}`;
    case "session.ended":
      return `${event.data.outcome} (${event.data.reason})`;
    case "session.instruction_files.recorded":
      return event.data.files.map(({ name }) => name).join(", ");
    case "session.workspace.shared":
      return `with ${event.data.with}`;
    case "session.checkpoint.requested":
      return `turn ${event.data.turn}, ${event.data.kind}`;
    case "session.checkpoint.skipped":
      return `turn ${event.data.turn}, ${event.data.kind}: ${event.data.reason}`;
    case "session.checkpoint.saved":
    case "session.checkpoint.partial":
    case "session.checkpoint.failed":
      return checkpointLine(event.data.checkpoint);
    case "session.forked":
      return `from ${event.data.parent.session_id} after turn ${event.data.parent.turn}`;
    case "session.rewind.requested":
      return `to turn ${event.data.turn}`;
    case "session.rewound":
      return `to turn ${event.data.turn}, ${count(event.data.changes, "path")} changed`;
    case "session.rewind.failed":
      return `${event.data.code}: ${event.data.message}`;
    case "session.handed_off":
      return `${event.data.from} → ${event.data.definition.agent}${event.data.quota === undefined ? "" : ` (quota ${event.data.quota.why})`}`;
    case "session.quota.filled":
      return event.data.agent;
    case "session.quota.passed_over":
      return `${event.data.agent}: ${event.data.code}: ${event.data.message}`;
    case "session.imported":
      return `into ${event.data.cwd}`;
    case "session.deleted":
    case "session.undeleted":
      return "";
    case "session.agent.update":
      return JSON.stringify(event.data);
    default:
      return ofLaterRelease(event, "");
  }
};

const checkpointLine = (checkpoint: Checkpoint): string =>
  `turn ${checkpoint.turn}, ${checkpoint.kind}, ${count(checkpoint.files, "file")} in ${Math.round(checkpoint.took_ms)} ms${after(checkpoint.reason)}`;

const after = (text: string | null): string =>
  text === null ? "" : `: ${text}`;
