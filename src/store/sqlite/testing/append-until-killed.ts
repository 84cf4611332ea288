/**
 * Appends to eight sessions at once as fast as it can and says on stdout what was acknowledged, one line
 * `<session> <seq>` each, until somebody kills it.
 */
import { writeSync } from "node:fs";
import { append, sessionId } from "../../conformance/sample.ts";
import { openSqliteStore } from "../store.ts";

const [path = ""] = process.argv.slice(2);
const store = await openSqliteStore({ path });
const term = await store.claim();

const work = async (n: number): Promise<never> => {
  for (let seq = 1; ; seq += 1) {
    await store.append(append(term, sessionId(n), seq - 1));
    writeSync(1, `${n} ${seq}\n`);
  }
};
await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(work));
