/** What a naive copy loses: modes, empty directories, links to nowhere, names that are no line of text. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

export const writeOddities = (root: string, count: number): void => {
  const odd = join(root, "odd");
  mkdirSync(odd, { recursive: true });
  for (let n = 0; n < count; n += 1) {
    mkdirSync(join(odd, "empty", String(n)), { recursive: true });
    writeFileSync(join(odd, `secret-${n}.pem`), `secret ${n}\n`, {
      mode: 0o600,
    });
    symlinkSync(`../gone/${n}`, join(odd, `dangling-${n}`));
  }
  writeFileSync(join(odd, "two\nlines.txt"), "a name of two lines\n");
  writeFileSync(join(odd, "run.sh"), "#!/bin/sh\n");
  chmodSync(join(odd, "run.sh"), 0o755);
  linkSync(join(odd, "run.sh"), join(odd, "run-again.sh"));
  symlinkSync("odd/run.sh", join(root, "run"));
};
