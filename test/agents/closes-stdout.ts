import { closeSync } from "node:fs";
import { converse } from "./converse.ts";

setInterval(() => {}, 60_000);
converse({
  "session/new": () => {
    closeSync(1);
    return null;
  },
});
