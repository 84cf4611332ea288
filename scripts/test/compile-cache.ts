/** Loaded before each test file: what one process has compiled, the next one need not. Nothing that a test starts inherits it. */
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";

enableCompileCache(
  resolve(import.meta.dirname, "../../node_modules/.cache/tests"),
);
