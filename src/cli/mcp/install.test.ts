import assert from "node:assert/strict";
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
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { main } from "../main.ts";
import { CLIENTS, type McpClient } from "./clients.ts";

const executable = "/opt/reprise/bin/reprise";

const files: Record<McpClient, string> = {
  claude: ".claude.json",
  codex: ".codex/config.toml",
  opencode: ".config/opencode/opencode.json",
  gemini: ".gemini/settings.json",
  copilot: ".copilot/mcp-config.json",
};

const person = async (t: TestContext) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-person-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  const env = { HOME: home, REPRISE_HOME: join(home, ".reprise") };
  return {
    home,
    put: async (file: string, text: string, mode = 0o600) => {
      await mkdir(dirname(join(home, file)), { recursive: true });
      await writeFile(join(home, file), text, { mode });
      await chmod(join(home, file), mode);
    },
    text: (file: string) => readFile(join(home, file), "utf8"),
    run: async (args: string[], more: Record<string, string> = {}) => {
      const { world, out, err } = memoryWorld({
        env: { ...env, REPRISE_TOKEN: "secret", ...more },
        cwd: home,
      });
      const programs = { ...world.programs, executable };
      const code = await main(args, { ...world, programs });
      return { code, stdout: out(), stderr: err() };
    },
  };
};

test("[MCP-60] [MCP-61] every program is told in its own form, once, and the entry goes as it came", async (t) => {
  const { home, text, run } = await person(t);
  for (const client of CLIENTS) {
    const file = files[client];
    const printed = await run(["mcp", "install", client, "--print"]);
    assert.match(printed.stdout, /"?command"? ?[:=]/);
    await assert.rejects(text(file), { code: "ENOENT" });
    const told = await run(["mcp", "install", client]);
    assert.equal(told.code, 0, told.stderr);
    assert.ok(told.stdout.includes(join(home, file)), told.stdout);
    const written = await text(file);
    assert.ok(written.includes(executable), written);
    assert.equal((await stat(join(home, file))).mode & 0o777, 0o600);
    const again = await run(["mcp", "install", client, "--json"]);
    assert.equal(JSON.parse(again.stdout).change, "none");
    assert.equal(await text(file), written);
    const gone = await run(["mcp", "uninstall", client]);
    assert.match(gone.stdout, /Removed\./);
    await assert.rejects(text(file), { code: "ENOENT" });
    const nothing = await run(["mcp", "uninstall", client, "--json"]);
    assert.equal(JSON.parse(nothing.stdout).change, "none");
  }
});

test("[MCP-60] configuration that lies elsewhere is found there, and another home is named", async (t) => {
  const { home, text, run } = await person(t);
  const moved = {
    CLAUDE_CONFIG_DIR: join(home, "c"),
    CODEX_HOME: join(home, "x"),
    XDG_CONFIG_HOME: join(home, "o"),
    GEMINI_CLI_HOME: join(home, "g"),
    COPILOT_HOME: join(home, "p"),
    REPRISE_HOME: join(home, "other"),
  };
  const at = {
    claude: "c/.claude.json",
    codex: "x/config.toml",
    opencode: "o/opencode/opencode.json",
    gemini: "g/.gemini/settings.json",
    copilot: "p/mcp-config.json",
  };
  for (const client of CLIENTS) {
    await run(["mcp", "install", client], moved);
    const written = await text(at[client]);
    assert.match(written, /"--home",\s+"[^"]+\/other"/);
  }
});

test("[MCP-63] a link stays a link, and whoever may read the file still may", async (t) => {
  const { home, put, text, run } = await person(t);
  const before = '{\n  // mine\n  "theme": "dark",\n}\n';
  await put("dotfiles/opencode.jsonc", before, 0o644);
  await mkdir(join(home, ".config/opencode"), { recursive: true });
  const link = join(home, ".config/opencode/opencode.jsonc");
  await symlink(join(home, "dotfiles/opencode.jsonc"), link);
  await run(["mcp", "install", "opencode"]);
  assert.match(await text("dotfiles/opencode.jsonc"), /\/\/ mine[^]*"reprise"/);
  assert.ok((await lstat(link)).isSymbolicLink());
  assert.equal((await stat(link)).mode & 0o777, 0o644);
  await run(["mcp", "uninstall", "opencode"]);
  assert.equal(await text("dotfiles/opencode.jsonc"), before);
});

test("[MCP-68] a link to a file that is not there yet stays one", async (t) => {
  const { home, text, run } = await person(t);
  const link = join(home, files.claude);
  await symlink("dot/claude.json", link);
  const refused = await run(["mcp", "install", "claude"]);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /Nothing was changed\. .*dot is not there\./);
  await mkdir(join(home, "dot"));
  assert.equal((await run(["mcp", "install", "claude"])).code, 0);
  assert.ok((await lstat(link)).isSymbolicLink());
  assert.match(await text("dot/claude.json"), /"reprise"/);
  await rm(link);
  await symlink(".claude.json", link);
  for (const command of ["install", "uninstall"]) {
    const { code, stderr } = await run(["mcp", command, "claude"]);
    assert.equal(code, 4);
    assert.match(stderr, /a link that leads back to itself\. Remove it/);
  }
});

test("[MCP-62] a file that cannot be read for certain is not touched", async (t) => {
  const { put, text, run } = await person(t);
  await put(files.claude, '{"mcpServers": [');
  const refused = await run(["mcp", "install", "claude"]);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /cannot be edited.*--print/s);
  assert.equal(await text(files.claude), '{"mcpServers": [');
});

test("[MCP-60] an entry of that name which is not ours is left alone unless it is said", async (t) => {
  const { put, text, run } = await person(t);
  const theirs =
    '{"mcpServers": {"reprise": {"command": "mine", "env": {"K": "v"}}}}';
  await put(files.gemini, theirs);
  const refused = await run(["mcp", "install", "gemini"]);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /did not write.*--replace/s);
  assert.equal(await text(files.gemini), theirs);
  const said = await run(["mcp", "install", "gemini", "--replace", "--json"]);
  assert.equal(JSON.parse(said.stdout).change, "replaced");
});

test("[MCP-64] the token goes only where nobody else can read, and is never shown", async (t) => {
  const { put, text, run } = await person(t);
  const server = {
    REPRISE_URL: "http://127.0.0.1:7420",
    REPRISE_TOKEN: "hidden-token",
  };
  const http = (client: McpClient) =>
    run(["mcp", "install", client, "--http"], server);
  for (const client of CLIENTS) {
    const told = await http(client);
    assert.equal(told.code, 0, told.stderr);
    assert.doesNotMatch(told.stdout + told.stderr, /hidden-token/);
    const written = await text(files[client]);
    assert.match(written, /http:\/\/127\.0\.0\.1:7420\/mcp/);
    assert.match(written, /Bearer hidden-token/);
    const gone = await run(["mcp", "uninstall", client]);
    assert.doesNotMatch(gone.stdout, /hidden-token/);
  }
  await put(files.gemini, "{}", 0o644);
  const refused = await http("gemini");
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /can be read by others.*chmod 600/s);
  assert.equal(await text(files.gemini), "{}");
});

test("[MCP-65] doctor tells of entries that lead nowhere any more", async (t) => {
  const { put, run } = await person(t);
  const finding = async (client: McpClient) => {
    const { stdout } = await run(["doctor", "--json"], {
      REPRISE_URL: "http://127.0.0.1:9",
    });
    return JSON.parse(stdout).findings.find(
      ({ name }: { name: string }) => name === `mcp ${client}`,
    );
  };
  assert.equal(await finding("codex"), undefined);
  await put(
    files.codex,
    `[mcp_servers.reprise]\ncommand = "${process.execPath}"\n`,
  );
  assert.equal((await finding("codex")).verdict, "ok");
  await put(files.codex, '[mcp_servers.reprise]\ncommand = "/gone/reprise"\n');
  const gone = await finding("codex");
  assert.equal(gone.verdict, "warn");
  assert.match(gone.words, /\/gone\/reprise is not there any more/);
  assert.equal(gone.fix, "reprise mcp install codex");
  const http = (url: string, token: string) =>
    put(
      files.claude,
      JSON.stringify({
        mcpServers: {
          reprise: { url, headers: { Authorization: `Bearer ${token}` } },
        },
      }),
    );
  await http("http://127.0.0.1:9/mcp", "secret");
  assert.equal((await finding("claude")).verdict, "ok");
  await http("http://127.0.0.1:9/mcp", "earlier");
  assert.match((await finding("claude")).words, /another token/);
  await http("http://127.0.0.1:8/mcp", "secret");
  assert.match((await finding("claude")).words, /at http:\/\/127\.0\.0\.1:9/);
  await put(files.claude, "{");
  assert.match((await finding("claude")).words, /cannot be edited/);
});
