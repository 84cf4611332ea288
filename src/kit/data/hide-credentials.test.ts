import assert from "node:assert/strict";
import { test } from "node:test";
import { hideInArgs, hideInUrl } from "./hide-credentials.ts";

const hide = (): string => "‹hidden›";

test("[SES-42] of an address, who asks, every value of the query, the fragment and long random parts of the path are hidden", () => {
  const cases: [url: string, shown: string][] = [
    ["https://example.org/mcp", "https://example.org/mcp"],
    ["http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1/"],
    ["https://user:pass@host/mcp", "https://‹hidden›@host/mcp"],
    ["https://token@host", "https://‹hidden›@host"],
    ["https://a:p@ss@host/x", "https://‹hidden›@host/x"],
    [
      "https://host/mcp?api_key=s3cret&v=2&flag",
      "https://host/mcp?api_key=‹hidden›&v=‹hidden›&‹hidden›",
    ],
    ["https://host/?empty=", "https://host/?empty="],
    ["https://host/#access_token=x", "https://host/#‹hidden›"],
    [
      "https://host/api/mcp/s/NzQ4ODk1MzctZTBl/mcp",
      "https://host/api/mcp/s/‹hidden›/mcp",
    ],
    [
      "postgres://me:pw@db:5432/app?sslmode=require",
      "postgres://‹hidden›@db:5432/app?sslmode=‹hidden›",
    ],
  ];
  for (const [url, shown] of cases) assert.equal(hideInUrl(url, hide), shown);
});

test("[SES-42] of arguments, everything that may be a credential is hidden", () => {
  const cases: [args: string[], shown: string[]][] = [
    [["--api-key=s3cret"], ["--api-key=‹hidden›"]],
    [
      ["--api-key", "s3cret"],
      ["--api-key", "‹hidden›"],
    ],
    [
      ["--password", "-starts-with-a-dash"],
      ["--password", "‹hidden›"],
    ],
    [
      ["--token", "--verbose"],
      ["--token", "--verbose"],
    ],
    [
      ["--header", "X-Any: value"],
      ["--header", "X-Any: ‹hidden›"],
    ],
    [
      ["-H", "nothing to see"],
      ["-H", "‹hidden›"],
    ],
    [["Authorization: Bearer abc"], ["Authorization: ‹hidden›"]],
    [
      ["-e", "NAME=value"],
      ["-e", "NAME=‹hidden›"],
    ],
    [["GITHUB_TOKEN=abc"], ["GITHUB_TOKEN=‹hidden›"]],
    [["-Dapi.key=abc"], ["-Dapi.key=‹hidden›"]],
    [["-psecret"], ["-p‹hidden›"]],
    [
      ["--url=https://u:p@host/?k=v"],
      ["--url=https://‹hidden›@host/?k=‹hidden›"],
    ],
    [["mysql://root:pw@db/app"], ["mysql://‹hidden›@db/app"]],
    [['{"apiKey":"abc"}'], ["‹hidden›"]],
    [
      ["-c", "export API_KEY=abc; serve"],
      ["-c", "‹hidden›"],
    ],
    [["sk-abcdef"], ["‹hidden›"]],
    [["ghp_abc"], ["‹hidden›"]],
    [["eyJhbGciOi.J9"], ["‹hidden›"]],
    [["a1b2c3d4e5f6"], ["‹hidden›"]],
    [["550e8400-e29b-41d4-a716-446655440000"], ["‹hidden›"]],
    [["/path/with/Q2hhb3NNb25rZXkxMjM0NQ"], ["‹hidden›"]],
  ];
  for (const [args, shown] of cases)
    assert.deepEqual(hideInArgs(args, hide), shown);
});

test("[SES-42] what an MCP server usually is started with stays readable", () => {
  for (const args of [
    ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/project2024"],
    ["run", "-i", "--rm", "mcp/github"],
    ["--from", "git+ssh://host/repo", "serve", "--port", "8080"],
    ["-m", "my_server", "--repository", "./work", "--log-level=debug"],
    ["mcp-server-postgres@0.6.2", "--model", "gpt-4o-mini-2024-07-18"],
    ["dist/index.js", "--stdio", "-it"],
  ])
    assert.deepEqual(hideInArgs(args, hide), args);
});
