import type { SessionProcess } from "../../../contract/session/process.ts";
import { command } from "../../parsing/command.ts";
import { age } from "../../terminal/age.ts";
import { answer } from "../../terminal/print.ts";
import { oneLine } from "../../terminal/sanitize.ts";
import { size } from "../../terminal/size.ts";
import { table } from "../../terminal/table.ts";
import type { World } from "../../terminal/world.ts";
import { sessionArgument, targetOf } from "../shared/target.ts";

export const processes = command({
  name: "session processes",
  summary: "List what a session has running, or end one of it",
  about:
    "Everything that its agents, commands and shells have started, and that still runs. PORTS are those on which it waits for connections.",
  args: [sessionArgument],
  options: {
    end: {
      kind: "text",
      value: "PROCESS",
      help: "end this process: an id of the list, or a PID",
    },
  },
  examples: [
    "reprise session processes ses_01jm",
    "reprise session processes ses_01jm --end 4711",
    "reprise session processes ses_01jm --json | jq '.processes[].ports'",
  ],
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const page = await client.listProcesses(id);
    if (options.end !== undefined) {
      const process_id = idOf(page.processes, options.end);
      await client.endProcess(id, process_id);
      answer(world, { ended: process_id }, () => `${process_id} has ended.`);
      return 0;
    }
    answer(world, page, () =>
      page.processes.length === 0
        ? `Nothing runs for ${id}.`
        : listOf(page.processes, world),
    );
    return 0;
  },
});

/** The id says which process had the number when it was listed. */
const idOf = (all: readonly SessionProcess[], given: string): string =>
  all.find(({ pid }) => String(pid) === given)?.id ?? given;

const listOf = (all: readonly SessionProcess[], world: World): string => {
  const { palette, columns } = world.out;
  const names = "PID BY AGE CPU MEMORY PORTS COMMAND".split(" ");
  const heading = names.map((text) => ({ text, paint: palette.dim }));
  const rows = all.map((each) => [
    { text: String(each.pid) },
    { text: each.is_agent ? "(agent)" : each.started_by },
    { text: age(each.started_at, world.now()) },
    { text: `${each.cpu_seconds.toFixed(1)} s` },
    { text: size(each.memory_bytes) },
    { text: (each.ports ?? []).join(" ") },
    { text: oneLine(each.command) },
  ]);
  return table([heading, ...rows], columns);
};
