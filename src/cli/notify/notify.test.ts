import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { RepriseError } from "../../contract/problem/problem.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { changeNotify, readNotify } from "./config-file.ts";

const homeIn = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-notify-"));
  t.after(() => rm(directory, { recursive: true }));
  return join(directory, "home");
};

void test("[WHK-22] a setting is changed, everything else in the file stays, and so do its mode and a link to it", async (t) => {
  const home = await homeIn(t);
  await mkdir(home);
  const kept = join(home, "kept.json");
  const document = {
    ttl_days: 3,
    pass_env: ["A_*"],
    notify: { on: ["finished"] },
  };
  await writeFile(kept, JSON.stringify(document));
  await chmod(kept, 0o640);
  await symlink(kept, join(home, "config.json"));
  const settings = await changeNotify(home, { desktop: true });
  assert.deepEqual(settings, {
    desktop: true,
    url: null,
    token_file: null,
    on: ["finished"],
  });
  assert.deepEqual(JSON.parse(await readFile(kept, "utf8")), {
    ...document,
    notify: settings,
  });
  assert.ok((await lstat(join(home, "config.json"))).isSymbolicLink());
  assert.equal((await stat(kept)).mode & 0o777, 0o640);
  assert.deepEqual(await readNotify(home), settings);
});

void test("[WHK-22] without a home or a file, both are made for nobody else to read", async (t) => {
  const home = await homeIn(t);
  assert.equal((await readNotify(home)).desktop, false);
  await changeNotify(home, { url: "https://ntfy.sh/x" });
  assert.equal((await stat(home)).mode & 0o777, 0o700);
  assert.equal((await stat(join(home, "config.json"))).mode & 0o777, 0o600);
});

void test("[WHK-22] a file that is no JSON, does not fit or is not ours is refused and left alone", async (t) => {
  const home = await homeIn(t);
  await mkdir(home);
  const path = join(home, "config.json");
  for (const [text, words] of [
    ["{", /not a JSON object/],
    ["[]", /not a JSON object/],
    ['{"notifi": {}}', /does not fit: .*notifi/],
  ] as const) {
    await writeFile(path, text);
    await assert.rejects(changeNotify(home, { desktop: true }), (error) => {
      assert.ok(error instanceof RepriseError);
      assert.match(error.message, words);
      return true;
    });
    assert.equal(await readFile(path, "utf8"), text);
  }
  await writeFile(path, "{}");
  await chmod(path, 0o666);
  await assert.rejects(
    changeNotify(home, { desktop: true }),
    /changed by others/,
  );
  assert.equal(await readFile(path, "utf8"), "{}");
  await rm(path);
  await promisify(execFile)("mkfifo", ["-m", "600", path]);
  await assert.rejects(
    changeNotify(home, { desktop: true }),
    /is no plain file\. Nothing was changed\./,
  );
  await rm(path);
  await symlink("config.json", path);
  await assert.rejects(readNotify(home), /leads back to itself\./);
});

void test("[WHK-27] changes that are made at the same time are all there afterwards", async (t) => {
  const home = await homeIn(t);
  await Promise.all([
    changeNotify(home, { desktop: true }),
    changeNotify(home, { url: "https://ntfy.sh/x" }),
    changeNotify(home, { token_file: "/token" }),
    changeNotify(home, { on: ["finished"] }),
  ]);
  assert.deepEqual(await readNotify(home), {
    desktop: true,
    url: "https://ntfy.sh/x",
    token_file: "/token",
    on: ["finished"],
  });
});

void test("[WHK-22] an address that requests cannot be sent to is wrong usage", async (t) => {
  for (const url of [
    "ntfy.sh/topic",
    "file:///etc/passwd",
    "https://a:b@ntfy.sh/x",
  ]) {
    const { code, stderr } = await runCli(t, ["notify", "url", url]);
    assert.equal(code, 2, url);
    assert.match(stderr, /URL must/);
  }
});
