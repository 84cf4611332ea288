import { hasErrno } from "../../kit/errno.ts";
import type { Outgoing } from "../drivers/driver.ts";
import type { Execution } from "./execution.ts";
import { AgentStdin } from "./hold/stdin.ts";
import { Sender } from "./report/sender.ts";

/** A sender that writes its steps into the execution's journal. `first` is done before anything is sent. */
export const senderFor = (
  execution: Execution,
  stdin: AgentStdin,
  first?: () => Promise<void>,
): Sender => {
  const { timeline, daemon } = execution;
  return new Sender(
    stdin,
    {
      sent: (number, { purpose }) =>
        timeline.recordFirst({ kind: "sent", number, purpose }),
      committed: (number) =>
        timeline.recordDurably({
          kind: "committed",
          number,
          at: execution.readTo,
        }),
      mayWait: (error) => {
        if (!hasErrno(error, "ENOSPC", "EDQUOT")) return false;
        daemon.disk.tellFull(execution);
        return true;
      },
      written: (number) => timeline.record({ kind: "written", number }),
      stalled: (message) => stalled(execution, message),
      failed: (message, error) => {
        execution.log("cannot send a message", error);
        execution.notTaken(message);
        execution.notice("message_not_sent", "A message could not be sent.");
      },
    },
    {
      stallMs: daemon.stallMs,
      number: execution.history.message?.number ?? 0,
      ...(first ? { first } : {}),
    },
  );
};

export const openStdin = ({ files }: Execution): AgentStdin =>
  new AgentStdin(files.stdin);

/** An agent that does not read cannot be brought up; later it is only reported, because it may be busy. */
const stalled = (execution: Execution, { purpose }: Outgoing): void => {
  const text = "The agent does not read what it is sent.";
  if (purpose.kind === "open") execution.onFailed("agent_not_reading", text);
  else execution.notice("agent_not_reading", text);
};
