import { unreachable } from "../../kit/unreachable.ts";
import type { React } from "../journal/pursuit.ts";
import { begin } from "./begin.ts";
import { checkpoint } from "./checkpoint.ts";
import { deliver } from "./deliver.ts";
import { goOn } from "./go-on.ts";
import { launch } from "./launch.ts";
import type { Means } from "./means.ts";
import { order } from "./order.ts";
import { rewind } from "./rewind.ts";

/** Turns an intent into calls on agentctl, and answers with commands. */
export const reactWith =
  (means: Means): React =>
  (state, intent, failingMs) => {
    switch (intent.kind) {
      case "begin":
        return begin(means, state, failingMs);
      case "launch":
        return launch(means, state, intent, failingMs);
      case "deliver":
        return deliver(means, state, intent, failingMs);
      case "cancel":
      case "answer":
      case "stop":
        return order(means, state, intent);
      case "checkpoint":
        return checkpoint(means, state, intent);
      case "rewind":
        return rewind(means, state);
      case "continue":
        return goOn(means, state, intent);
      default:
        return unreachable(intent);
    }
  };
