import { findServer } from "../../local/find-server.ts";
import { linkWithCode, linkWithToken } from "../../local/page-link.ts";
import { command } from "../parsing/command.ts";
import { findSession } from "../server/find.ts";
import { answer } from "../terminal/print.ts";
import { browserIn, openLink } from "./browser.ts";

export const open = command({
  name: "open",
  summary: "Open the page, or the page of a session",
  about:
    "Prints the link where no browser can be opened: over ssh, in CI, without a display. The link lets in whoever opens it: on a terminal for good, otherwise once and within a minute.",
  args: [
    {
      name: "ID",
      help: "a session; the beginning of its id is enough when no other begins so",
      optional: true,
    },
  ],
  options: {
    "no-open": { kind: "flag", help: "only print the link" },
  },
  examples: ["reprise open", "reprise open ses_01jm"],
  async run({ args, options }, world) {
    const path =
      args.ID === undefined
        ? "/"
        : `/s/${await findSession(await world.client(), args.ID)}`;
    const address = await findServer(world);
    const browser = options["no-open"]
      ? null
      : browserIn(world.env, process.platform);
    // Made for one use: the one that was opened is not printed.
    const opened =
      browser !== null &&
      (await openLink(browser, await linkWithCode(address, path), world.env));
    const link =
      world.out.isTerminal && !world.json
        ? linkWithToken(address, path)
        : await linkWithCode(address, path);
    answer(world, { opened, link }, () =>
      opened ? `The page is open in your browser.` : link,
    );
    return 0;
  },
});
