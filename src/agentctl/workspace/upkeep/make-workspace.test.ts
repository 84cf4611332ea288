import assert from "node:assert/strict";
import { mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { linkMethods } from "../../../contract/link/link.ts";
import { withBench } from "../../fixtures/bench.ts";
import { newSession } from "../../fixtures/ids.ts";
import type { TestLink } from "../../fixtures/test-link.ts";

const make = async (link: TestLink, session_id: string): Promise<string> =>
  linkMethods.make_workspace.result.parse(
    await link.call("make_workspace", { session_id }),
  ).path;

test("[LNK-118] a directory of the session's own, made once", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const session = newSession();
    const path = await make(link, session);
    assert.equal(path, join(bench.home, "workspaces", session));
    assert.equal((await stat(path)).mode & 0o777, 0o700);
    await writeFile(join(path, "kept"), "");
    assert.deepEqual(
      await Promise.all([make(link, session), make(link, session)]),
      [path, path],
    );
    assert.deepEqual(await readdir(path), ["kept"]);
    await link.call("discard", { session_id: session, worktree: null });
    assert.deepEqual(await readdir(join(bench.home, "workspaces")), []);
  }));

test("[LNK-118] names that are no session's are refused, and nobody else is answered", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    for (const name of ["..", "../ses", "a/b", "", `${newSession()}/x`, "ses_"])
      await assert.rejects(make(link, name), { code: "invalid_params" }, name);
    const stranger = await bench.link(1, `own_${"0".repeat(26)}`);
    await assert.rejects(make(stranger, newSession()), { code: "not_owner" });
    await assert.rejects(readdir(join(bench.home, "workspaces")), {
      code: "ENOENT",
    });
  }));

test("[LNK-118] nothing is made where a link leads, or where something else lies", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const outside = join(bench.home, "outside");
    const workspaces = join(bench.home, "workspaces");
    await mkdir(outside);
    const refused = { code: "path_outside", message: /is a link or a file/ };
    for (const target of [outside, join(bench.home, "nowhere"), workspaces]) {
      await symlink(target, workspaces);
      await assert.rejects(make(link, newSession()), refused);
      await rm(workspaces);
    }
    await writeFile(workspaces, "");
    await assert.rejects(make(link, newSession()), refused);
    await rm(workspaces);
    await mkdir(workspaces);
    for (const target of [outside, join(bench.home, "nowhere")]) {
      const session = newSession();
      await symlink(target, join(workspaces, session));
      await assert.rejects(make(link, session), refused);
    }
    assert.deepEqual(await readdir(outside), []);
  }));
