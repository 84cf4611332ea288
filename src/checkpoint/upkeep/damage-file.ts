import { readFileSync } from "node:fs";
import { DamageFile } from "../../contract/damage.ts";

/** Null when it is not there or cannot be used: then damage is found anew. */
export const readDamageFile = (path: string): DamageFile | null => {
  try {
    const parsed = DamageFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};
