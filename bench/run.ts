/** `npm run bench -- [NAME…] [--json]`: runs the named benchmarks, or all; exits with 1 when a bar is missed. */
import { parseArgs } from "node:util";
import { burst } from "./burst/burst.ts";
import { checkpoint } from "./checkpoint/checkpoint.ts";
import type { Bench } from "./figure.ts";
import { journal } from "./journal/journal.ts";
import { machine } from "./machine.ts";
import { page } from "./page/page.ts";
import { resume } from "./resume/resume.ts";
import { stream } from "./stream/stream.ts";
import { table } from "./table.ts";

const benches: readonly Bench[] = [
  burst,
  checkpoint,
  journal,
  page,
  resume,
  stream,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});

const unknown = positionals.filter(
  (name) => !benches.some((bench) => bench.name === name),
);
if (unknown.length > 0) {
  const known = benches.map(({ name }) => name).join(", ");
  console.error(
    `no such benchmark: ${unknown.join(", ")} (there are: ${known})`,
  );
  process.exit(2);
}

const chosen = benches.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
for (const bench of chosen) {
  const rows = await bench.measure();
  const report = { name: bench.name, machine: machine(), rows };
  console.log(values.json ? JSON.stringify(report) : table(report));
  if (rows.some(({ ok }) => ok === false)) process.exitCode = 1;
}
