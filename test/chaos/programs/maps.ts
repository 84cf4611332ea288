/**
 * `node maps.ts FILE TIMES MS`: maps a file into memory, as databases do it, and writes who it is and how often there. Once a
 * page is dirty, nothing but the content tells that it changes. It needs nothing but Node.
 */
import { existsSync, writeFileSync } from "node:fs";
import { MappedFile } from "../../../src/checkpoint/fixtures/mapped-file.ts";

const BYTES = 5000;

const [path = "", times = "0", every = "20"] = process.argv.slice(2);
const execution = process.env["REPRISE_EXECUTION"] ?? "nobody";
if (!existsSync(path)) writeFileSync(path, " ".repeat(BYTES));
const mapped = new MappedFile(path);
let count = 0;
const timer = setInterval(() => {
  mapped.store(`${execution} ${count}`.padEnd(80));
  count += 1;
  if (count >= Number(times)) clearInterval(timer);
}, Number(every));
