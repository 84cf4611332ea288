import { nothingGiven } from "../agents/given.ts";
import { briefingOf } from "../contract/briefing.ts";
import type { Open, Setup } from "./drivers/driver.ts";
import type { Execution } from "./execution.ts";

const RESOURCE_NOT_FOUND = -32002;

/** What the driver has to know of an execution. */
export const setupOf = (execution: Execution, open: Open): Setup => {
  const { agent, ordered, place } = execution;
  const { definition } = ordered;
  const { meta, limits, model, settings } =
    agent?.given?.(definition) ?? nothingGiven;
  return {
    incarnation: place.incarnation,
    epoch: ordered.epoch,
    cwd: ordered.cwd,
    definition,
    briefing: briefingOf(definition, { tools: !limits }),
    open,
    agent: {
      native: agent?.native ?? false,
      injection: agent?.injection ?? false,
      isUnknownSession: (error) =>
        error.code === RESOURCE_NOT_FOUND ||
        agent?.isUnknownSession?.(error) === true,
      replayTrails: agent?.quirks?.replayTrails ?? false,
      corrections: agent?.quirks?.corrections ?? [],
      meta,
      settings,
      hasModel: model || agent?.variables?.model !== undefined,
    },
  };
};
