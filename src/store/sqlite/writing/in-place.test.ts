import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sessionId } from "../../fixtures/conformance/sample.ts";
import type { Request } from "../../../kit/worker-rpc/messages.ts";
import { inPlace } from "./in-place.ts";
import type { Writes } from "./writes.ts";

test("[REC-27] what was committed while its file went away is not acknowledged, and nothing more is committed", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "reprise-in-place-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "database");
  writeFileSync(path, "");
  let term = 1;
  let committed = 0;
  let meanwhile = (): void => undefined;
  const commit = inPlace(
    (requests) => {
      committed += 1;
      meanwhile();
      return requests.map(({ id }) => ({ id, value: null }));
    },
    [directory, path],
    () => term,
  );
  const query = { term: 1, place: "standalone/local", session: sessionId(1) };
  const requests: Request<Writes>[] = [{ id: 1, kind: "purge", query }];
  const acknowledged = (): boolean =>
    commit(requests).every((answer) => "value" in answer);

  assert.equal(acknowledged(), true);
  meanwhile = () => renameSync(path, `${path}.away`);
  assert.equal(acknowledged(), false);
  assert.equal(committed, 2);
  meanwhile = () => undefined;
  assert.equal(acknowledged(), false);
  assert.equal(committed, 2, "what cannot be acknowledged is not begun");
  term = 2;
  const [answer] = commit(requests);
  assert.ok(answer !== undefined && "failure" in answer);
  assert.equal(answer.failure.code, "superseded", "another server is there");
  term = 1;
  renameSync(`${path}.away`, path);
  assert.equal(acknowledged(), true);
});
