import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../parsing/usage-error.ts";
import { minutesIn } from "./minutes.ts";

test("a time is given in seconds, minutes or hours, and a number alone is minutes", () => {
  const minutes = (given: string) => minutesIn("--timeout", given);
  assert.deepEqual(["90s", "45m", "2h", "30"].map(minutes), [1.5, 45, 120, 30]);
  for (const given of ["", "0", "0h", "-5", "1.5h", "2 h", "2d", "soon"])
    assert.throws(() => minutes(given), UsageError, given);
});
