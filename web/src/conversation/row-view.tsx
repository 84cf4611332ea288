import { memo, type ReactNode } from "react";
import { unreachable } from "../../../src/kit/unreachable.ts";
import { latePart } from "../late/late.tsx";
import { Break } from "./break.tsx";
import { Foot } from "./foot.tsx";
import { Prompt } from "./prompt.tsx";
import type { Row } from "./rows.ts";
import { Say } from "./say.tsx";
import { Thought } from "./thought.tsx";
import { ToolRun } from "./tool-run.tsx";
import { Tool } from "./tool.tsx";
import { Working } from "./working.tsx";

// Loaded with the first of them.
const Notice = latePart({
  name: "A notice",
  load: async () => (await import("./notice.tsx")).Notice,
});
const Plan = latePart({
  name: "The plan",
  load: async () => (await import("./plan.tsx")).Plan,
});

/** What rows need to know of their session. */
export interface RowContext {
  sessionId: string;
  /** Paths below them are told as they are seen from there: the workspace, and those of the sessions that it was forked from. */
  directories: readonly string[];
  newest: number;
  onFork: (turn: number) => void;
}

/** One row. It is drawn again only when the row or its context is another object. */
export const RowView = memo(
  ({ row, context }: { row: Row; context: RowContext }): ReactNode => {
    switch (row.kind) {
      case "prompt":
        return (
          <Prompt message={row.message} turn={row.turn} behind={row.behind} />
        );
      case "plan":
        return <Plan plan={row.plan} />;
      case "say":
        return <Say message={row.message} isLive={row.isLive} />;
      case "thought":
        return <Thought message={row.message} isLive={row.isLive} />;
      case "tool":
        return (
          <Tool
            message={row.message}
            directories={context.directories}
            isOver={row.isOver}
          />
        );
      case "tools":
        return (
          <ToolRun messages={row.messages} directories={context.directories} />
        );
      case "notice":
        return <Notice message={row.message} />;
      case "working":
        return <Working />;
      case "foot":
        return (
          <Foot
            mark={row.mark}
            startedAt={row.startedAt}
            endedAt={row.endedAt}
            newest={context.newest}
            sessionId={context.sessionId}
            onFork={context.onFork}
          />
        );
      case "mark":
        return <Break mark={row.mark} told={row.told} />;
      default:
        return unreachable(row);
    }
  },
);
