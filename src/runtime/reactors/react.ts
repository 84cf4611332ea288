import { unreachable } from "../../kit/unreachable.ts";
import type { SessionReact } from "../sessions/session-intents.ts";
import { begin } from "./begin.ts";
import { change } from "./change.ts";
import { checkpoint } from "./checkpoint.ts";
import { deliver } from "./deliver.ts";
import { goOn } from "./go-on.ts";
import { launch } from "./launch.ts";
import type { ReactorDeps } from "./reactor-deps.ts";
import { order } from "./order.ts";
import { rewind } from "./rewind.ts";

/** Turns an intent into calls on agentctl, and answers with commands. */
export const reactWith =
  (deps: ReactorDeps): SessionReact =>
  (state, intent, failingMs) => {
    switch (intent.kind) {
      case "begin":
        return begin(deps, state, failingMs);
      case "launch":
        return launch(deps, state, intent, failingMs);
      case "deliver":
        return deliver(deps, state, intent, failingMs);
      case "cancel":
      case "answer":
      case "stop":
        return order(deps, state, intent);
      case "change":
        return change(deps, state, intent);
      case "checkpoint":
        return checkpoint(deps, state, intent);
      case "rewind":
        return rewind(deps, state);
      case "continue":
        return goOn(deps, state.id, intent);
      default:
        return unreachable(intent);
    }
  };
