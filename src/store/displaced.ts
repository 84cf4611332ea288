import type { Displaced } from "../kit/files/file-identity.ts";
import type { Refusal } from "./refusal.ts";

/** What is said, and refused with, when something of the home is not the one that was opened. */
export const refuseDisplaced = ({ path, found }: Displaced): Refusal => ({
  code: "storage_unavailable",
  message:
    found === "missing"
      ? `${path} is not there any more: it was moved or removed while the server ran. Nothing is taken until it is back. Put it back, or stop the server and start it where the home is now.`
      : `${path} is not the one this server opened: it was replaced while the server ran. Nothing is taken any more. Stop the server and start it again to use what is there now, or put the old one back.`,
});
