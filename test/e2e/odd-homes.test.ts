/** Homes that cannot be one, and homes that only look odd. */
import assert from "node:assert/strict";
import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as z from "zod";
import { startTrouble } from "../../src/server/door/cannot-start.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { say, TestHouse } from "./house.ts";

interface Odd {
  /** Makes it in a directory, and gives its path. */
  make(directory: string): Promise<string>;
  words: RegExp;
  /** Nothing is there yet, so a client only finds no server. */
  isMissing?: true;
}

const unusable: Record<string, Odd> = {
  "a file": {
    async make(directory) {
      await writeFile(join(directory, "file"), "");
      return join(directory, "file");
    },
    words: /\/file is a file, not a directory\./,
  },
  "below a file": {
    async make(directory) {
      await writeFile(join(directory, "file"), "");
      return join(directory, "file", "deep", "home");
    },
    words: /cannot be made, because \S+\/file is a file and not a directory\./,
  },
  "a broken link": {
    async make(directory) {
      await symlink("nowhere", join(directory, "link"));
      return join(directory, "link");
    },
    words: /\/link is a link to nowhere, which does not exist\./,
  },
  "a link to a file": {
    async make(directory) {
      await writeFile(join(directory, "file"), "");
      await symlink("file", join(directory, "link"));
      return join(directory, "link");
    },
    words: /\/link is a link to file, which is a file and not a directory\./,
  },
  "a link to itself": {
    async make(directory) {
      await symlink("loop", join(directory, "loop"));
      return join(directory, "loop");
    },
    words: /\/loop is reached through links that lead to each other\./,
  },
  "a path with a line break": {
    make: async (directory) => join(directory, "two\nlines"),
    words:
      /contains a line break or another control character: "\S+two\\nlines"/,
  },
  "a name that is too long": {
    make: async (directory) => join(directory, "x".repeat(300)),
    words: /too long for this file system: it has \d+ characters/,
  },
  "where nothing can be made": {
    make: async () => "/proc/reprise-home",
    words: /\/proc\/reprise-home cannot be (made there|written)/,
    isMissing: true,
  },
};

describe("[API-135] a home that cannot be one is refused in one sentence with a code", () => {
  for (const [name, { make, words, isMissing }] of Object.entries(unusable))
    test(name, async () => {
      await using house = await TestHouse.make();
      const env = { REPRISE_HOME: await make(house.directory) };
      const told = await house.cli(["up", "--port", "0"], { env });
      assert.equal(told.code, 1, told.err);
      assert.match(told.err, words);
      assert.match(told.err, /REPRISE_HOME/);
      assert.equal(told.err.trim().split("\n").length, 1, told.err);

      const command = isMissing === true ? ["up"] : ["session", "list"];
      const { err } = await house.cli([...command, "--json"], { env });
      const { code, detail } = Problem.parse(JSON.parse(err));
      assert.equal(code, "home_unusable");
      assert.match(detail, words);
    });

  for (const [code, words] of Object.entries({
    EROFS: /its file system is read-only .*REPRISE_HOME/,
    EACCES: /you may not .*REPRISE_HOME/,
  }))
    test(`what the file system refuses with ${code}`, () => {
      const error = Object.assign(new Error(`${code}: mkdir '/x'`), { code });
      const told = startTrouble(error, "/x");
      assert.ok(told instanceof RepriseError);
      assert.equal(told.code, "home_unusable");
      assert.match(told.message, words);
    });
});

describe("what has taken the place of a file of Reprise is named with what to do", () => {
  for (const [name, spoil] of Object.entries({
    "[REC-65] a number in agentctl/term that no home can have reached": {
      make: async (home: string) => {
        await mkdir(join(home, "agentctl"), { mode: 0o700 });
        await writeFile(join(home, "agentctl", "term"), "9999999\n");
      },
      words: /\/agentctl\/term is damaged: it holds .* Remove the file/,
    },
    "[REC-66] a directory owner-id": {
      make: (home: string) => mkdir(join(home, "owner-id")),
      words: /\/owner-id is a directory, .* remove the directory/,
    },
  }))
    test(name, async () => {
      await using house = await TestHouse.make();
      await spoil.make(house.home);
      const { err } = await house.cli(["up", "--port", "0", "--json"]);
      const { code, detail } = Problem.parse(JSON.parse(err));
      assert.equal(code, "home_unusable");
      assert.match(detail, spoil.words);
    });

  test("[REC-66] a directory agentctl/place-id", async () => {
    await using house = await TestHouse.make();
    const path = join(house.home, "agentctl", "place-id");
    await mkdir(path, { recursive: true, mode: 0o700 });
    const { client } = await house.up();
    await assert.rejects(
      client.createSession({ cwd: house.workspace }),
      (error) => {
        assert.ok(error instanceof RepriseError);
        assert.equal(error.code, "agentctl_unavailable");
        assert.ok(error.message.includes(`\n${path} is a directory, `));
        assert.match(error.message, /remove the directory [^\n]*$/);
        return true;
      },
    );
  });
});

describe("[API-135] a home that only looks odd works", () => {
  test("a relative path and a slash at the end mean the directory that they name", async () => {
    await using house = await TestHouse.make();
    const server = await house.up({ REPRISE_HOME: `${house.home}/` });
    await server.client.listSessions();
    const found = await house.cli(["session", "list"], {
      env: { REPRISE_HOME: "../home" },
    });
    assert.equal(found.code, 0, found.err);
    assert.ok((await stat(join(house.home, "reprise.db"))).isFile());
  });

  test("blanks, signs and letters of any kind", async () => {
    await using house = await TestHouse.make({}, "a b#c?d%20:é'\"$(x)");
    const { client } = await house.up();
    const session = await client.createSession({ cwd: house.workspace });
    assert.match(await say(client, session.id, "hello"), /You said: hello/);
  });
});

const Problem = z.object({ code: z.string(), detail: z.string() });
