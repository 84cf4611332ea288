import { closeSync, openSync, writeSync } from "node:fs";

/** One line for a prompt that begins: time, pid, prompt. A single write at the end of the file, so that agents can share it. */
export const enter = (ledger: string, prompt: string): void => {
  const file = openSync(ledger, "a", 0o600);
  try {
    const time = new Date().toISOString();
    writeSync(file, `${time} ${process.pid} ${JSON.stringify(prompt)}\n`);
  } finally {
    closeSync(file);
  }
};
