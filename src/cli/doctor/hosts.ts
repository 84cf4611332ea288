import type { ExecutorPlace } from "../../contract/session/executor-place.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { fail, type Finding, ok } from "./check.ts";

/** The other hosts, as the server reaches them. */
export const checkHosts = (places: readonly ExecutorPlace[]): Finding[] =>
  places.flatMap(({ host, available, why, build, latency_ms }) => {
    if (host === null) return [];
    const name = `host ${oneLine(host)}`;
    if (!available) return [fail(name, oneLine(why ?? "it does not answer"))];
    return [
      ok(
        name,
        build === null
          ? "can be reached; agentctl is started there when it is needed"
          : `answers in ${latency_ms ?? "?"} ms, build ${build}`,
      ),
    ];
  });
