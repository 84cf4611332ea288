import type { Open, Setup } from "./drivers/driver.ts";
import type { Execution } from "./execution.ts";

const RESOURCE_NOT_FOUND = -32002;

/** What the driver has to know of an execution. */
export const setupOf = (execution: Execution, open: Open): Setup => {
  const { agent, ordered, place } = execution;
  return {
    incarnation: place.incarnation,
    epoch: ordered.epoch,
    cwd: ordered.cwd,
    definition: ordered.definition,
    open,
    agent: {
      native: agent?.native ?? false,
      injection: agent?.injection ?? false,
      isUnknownSession: (error) =>
        error.code === RESOURCE_NOT_FOUND ||
        agent?.isUnknownSession?.(error) === true,
      replayTrails: agent?.quirks?.replayTrails ?? false,
      corrections: agent?.quirks?.corrections ?? [],
    },
  };
};
