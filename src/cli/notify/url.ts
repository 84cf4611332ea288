import { resolve } from "node:path";
import { whyNoHttpUrl } from "../../contract/api/webhook-settings.ts";
import { command } from "../parsing/command.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { change } from "./change.ts";

export const url = command({
  name: "notify url",
  summary: "Send notifications to an address that takes them as ntfy does",
  about:
    "A notification is a POST with the text as its body and `Title`, `Priority` and `Tags` as headers. A token is read from a file that only you can read (mode 0600) and sent as a bearer token.",
  args: [{ name: "URL", help: "where to, or off" }],
  options: {
    "token-file": {
      kind: "text",
      value: "FILE",
      help: "the file with the token of that service",
    },
  },
  examples: [
    "reprise notify url https://ntfy.sh/my-secret-topic",
    "reprise notify url https://ntfy.example.com/agents --token-file ~/.ntfy-token",
    "reprise notify url off",
  ],
  run({ args, options }, world) {
    if (args.URL === "off")
      return change(world, { url: null, token_file: null });
    const why = whyNoHttpUrl(args.URL);
    if (why !== null) throw new UsageError(`URL ${why}.`);
    const file = options["token-file"];
    return change(world, {
      url: args.URL,
      token_file: file === undefined ? null : resolve(world.cwd, file),
    });
  },
});
