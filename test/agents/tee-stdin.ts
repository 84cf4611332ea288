import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";

const [file, separator, program, ...args] = process.argv.slice(2);
if (file === undefined || separator !== "--" || program === undefined) {
  process.stderr.write("usage: tee-stdin.ts FILE -- PROGRAM [ARGUMENT…]\n");
  process.exit(2);
}

const child = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"] });
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.stdin.on("error", () => {});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners("SIGTERM");
  process.kill(process.pid, signal);
});

for await (const bytes of process.stdin) {
  appendFileSync(file, bytes);
  if (!child.stdin.write(bytes)) await once(child.stdin, "drain");
}
child.stdin.end();
