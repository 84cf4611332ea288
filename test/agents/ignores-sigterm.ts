import { converse } from "./converse.ts";

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
  process.on(signal, () => process.stderr.write(`ignored ${signal}\n`));
setInterval(() => {}, 60_000);
converse({});
