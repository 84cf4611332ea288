import { describeEnding } from "../contract/session/ending.ts";
import { explainRestriction } from "../contract/agent/restriction.ts";
import type { Event, EventDataOf } from "../contract/event/event.ts";
import { usageWords } from "../contract/base/usage.ts";
import { unreachable } from "../kit/unreachable.ts";
import {
  definitionLines,
  readyLines,
  restrictionLines,
} from "./definition-lines.ts";

/** `[time] HEADING:` and a text beneath. */
export interface LogEntry {
  heading: string;
  text: string;
}

/** What an event says in the log by itself. What takes several events to say is put together by `RecordFold`: prompts, words, tools. */
export const entriesOf = (event: Event, directory: string): LogEntry[] => {
  switch (event.type) {
    case "session.created":
      return created(event.data);
    case "session.state_changed": {
      const { from, to, reason, message } = event.data;
      return one("STATE", `${from} -> ${to} (${reason})`, message);
    }
    case "session.agentctl_error":
      return one("AGENTCTL ERROR", `${event.data.code}: ${event.data.message}`);
    case "session.execution.started": {
      const { epoch, path, strategy } = event.data;
      return one(
        "AGENT STARTED",
        `Execution ${epoch}`,
        `Path: ${path}`,
        `Strategy: ${strategy}`,
      );
    }
    case "session.execution.ended":
      return one(
        "AGENT ENDED",
        `Execution ${event.data.epoch}: the agent ${describeEnding(event.data.ending)}`,
      );
    case "session.agent.ready":
      return [
        ...one("AGENT READY", ...readyLines(event.data)),
        ...(event.data.system_prompt === undefined
          ? []
          : one("SYSTEM PROMPT (appended)", event.data.system_prompt.text)),
      ];
    case "session.prompt.delivered":
      return event.data.restrictions === undefined
        ? []
        : one(
            "DYNAMIC TOOL RESTRICTIONS APPLIED",
            ...restrictionLines(event.data.restrictions),
          );
    case "session.resumed": {
      const { grade, path, strategy, verified, lost } = event.data.resume;
      return one(
        "SESSION RESUMED",
        `Grade: ${grade}`,
        `Path: ${path}`,
        `Strategy: ${strategy}`,
        `Verified: ${verified}`,
        `Lost: ${lost ?? "nothing"}`,
      );
    }
    case "session.prompt.requeued":
      return one(
        "PROMPT NOT TAKEN",
        `${event.data.prompt_id}: it waits for the agent again`,
      );
    case "session.prompt.cancelled":
      return one("PROMPT CANCELLED", event.data.prompt_id);
    case "session.prompt.resolved":
      return one(
        "PROMPT RESOLVED",
        `${event.data.prompt_id}: ${event.data.action}`,
      );
    case "session.turn.cancel_requested":
      return one("CANCEL REQUESTED", `Turn ${event.data.turn}`);
    case "session.turn.ended": {
      const { turn, outcome, stop_reason, error, usage } = event.data;
      return one(
        "TURN COMPLETED",
        `Turn ${turn}`,
        `Status: ${outcome} (${stop_reason})`,
        error,
        usage && `Tokens: ${usageWords(usage)}`,
        `Files: ${directory}`,
      );
    }
    case "session.turn.interrupted":
      return one(
        "TURN INTERRUPTED",
        `Turn ${event.data.turn}: ${event.data.reason}`,
      );
    case "session.permission.requested":
      return one(
        "PERMISSION REQUESTED",
        `${event.data.permission.id} ${event.data.permission.title}`,
      );
    case "session.permission.answered":
      return one(
        "PERMISSION ANSWERED",
        `${event.data.id} ${event.data.option_id}`,
        `Answered By: ${event.data.by ?? "person"}`,
      );
    case "session.permission.closed":
      return one("PERMISSION CLOSED", `${event.data.id} ${event.data.reason}`);
    case "session.notice":
      return one("NOTICE", event.data.text);
    case "session.checkpoint.failed":
      return one(
        "CHECKPOINT FAILED",
        `Turn ${event.data.checkpoint.turn}: ${event.data.checkpoint.reason ?? ""}`,
      );
    case "session.forked":
      return one(
        "FORKED",
        `From ${event.data.parent.session_id} after turn ${event.data.parent.turn}`,
      );
    case "session.rewound":
      return one(
        "REWOUND",
        `To turn ${event.data.turn}, ${event.data.changes} files changed`,
      );
    case "session.rewind.failed":
      return one("REWIND FAILED", event.data.message);
    case "session.handed_off":
      return one(
        "HANDED OFF",
        `From ${event.data.from} to ${event.data.definition.agent}`,
        ...definitionLines(event.data.definition),
      );
    case "session.definition.changed":
      return one(
        "DEFINITION CHANGED",
        ...definitionLines(event.data.definition),
      );
    case "session.change.refused":
      return one("CHANGE REFUSED", explainRestriction(event.data.restriction));
    case "session.imported":
      return one("IMPORTED", `Into ${event.data.cwd}`);
    case "session.deleted":
      return one("DELETED");
    case "session.undeleted":
      return one("UNDELETED");
    case "session.ended":
      return one(
        "SESSION COMPLETED",
        `Status: ${event.data.outcome} (${event.data.reason})`,
        "Files:",
        ...fileNames.map((name) => `${directory}/${name}`),
      );
    case "session.instruction_files.recorded":
    case "session.workspace.shared":
    case "session.checkpoint.requested":
    case "session.checkpoint.skipped":
    case "session.checkpoint.saved":
    case "session.checkpoint.partial":
    case "session.rewind.requested":
    case "session.changed":
    case "session.change.requested":
    case "session.resume.requested":
    case "session.execution.stopping":
    case "session.agentctl_starting":
    case "session.agentctl_ready":
    case "session.agent.update":
    case "session.token.recorded":
    case "session.token.cleared":
    case "session.transcript.recorded":
    case "session.prompt.queued":
    case "session.prompt.uncertain":
    case "session.prompt.prepared":
    case "session.history.injected":
    case "session.turn.started":
    case "session.message.added":
    case "session.message.updated":
    case "session.tool.updated":
    case "session.plan.updated":
    case "session.permission.delivered":
    case "session.usage":
      return [];
    default:
      return unreachable(event);
  }
};

const created = ({
  definition,
  cwd,
}: EventDataOf<"session.created">): LogEntry[] =>
  one(
    "SESSION CREATED",
    `Agent: ${definition.agent}`,
    `Directory: ${cwd}`,
    ...definitionLines(definition),
  );

const one = (
  heading: string,
  ...lines: readonly (string | null)[]
): LogEntry[] => [
  { heading, text: lines.filter((line) => line !== null).join("\n") },
];

/** The files under `sessions/<id>/`. Their names are part of the public face. */
export const fileNames = [
  "conversation.json",
  "history.jsonl",
  "session.log",
  "summary.json",
  "metadata.json",
] as const;
