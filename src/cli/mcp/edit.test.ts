import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { memberIn, withMember, withoutMember } from "./edit-json.ts";
import { tableIn, withoutTable, withTable } from "./edit-toml.ts";

const path = ["mcpServers", "reprise"] as const;
const entry = { command: "/opt/reprise", args: ["mcp"] };

const lines = (...text: string[]): string => `${text.join("\n")}\n`;

const documents = [
  "{}\n",
  '{"a":1}',
  '{ "mcpServers": { "other": { "url": "http://a/b//c" } } }',
  lines("{", '\t"mcpServers": {', '\t\t"other": {},', "\t},", "}"),
  lines(
    "// mine",
    "{",
    '  "theme": "dark", // do not touch',
    '  "mcpServers": {',
    "    /* the first */",
    '    "other": { "command": "a \\" // b" }, // last',
    "    // the end",
    "  },",
    "}",
  ),
];

test("[MCP-61] an entry goes into a file and out again, and every other byte stays", () => {
  for (const text of documents) {
    const added = withMember(text, path, entry);
    assert.deepEqual(memberIn(added, path), entry, added);
    assert.equal(withMember(added, path, entry), added);
    assert.equal(withoutMember(added, path), text);
    const other = { ...entry, command: "/elsewhere" };
    const replaced = withMember(added, path, other);
    assert.deepEqual(memberIn(replaced, path), other);
    assert.equal(withMember(replaced, path, entry), added);
  }
});

test("[MCP-61] the same for any JSON", () => {
  const key = fc.constantFrom("a", "reprise", "mcpServers", 'b"{', "é\n");
  const other = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 3,
  });
  const document = fc
    .record({ before: other, servers: fc.option(other), after: other })
    .map(({ before, servers, after }) => {
      const { reprise: _, ...others } = servers ?? {};
      return {
        ...before,
        ...(Object.keys(others).length === 0 ? {} : { mcpServers: others }),
        ...after,
      };
    })
    // As JSON has it, which knows no -0.
    .map((each): typeof each => JSON.parse(JSON.stringify(each)))
    .filter(({ mcpServers = { a: 1 } }) => isFilled(mcpServers));
  fc.assert(
    fc.property(document, fc.constantFrom(0, 1, 2, "\t"), (each, indent) => {
      const text = JSON.stringify(each, null, indent);
      const added = withMember(text, path, entry);
      assert.deepEqual(JSON.parse(added), {
        ...each,
        mcpServers: { ...asObject(each["mcpServers"]), reprise: entry },
      });
      assert.equal(withoutMember(added, path), text);
    }),
  );
});

const asObject = (value: unknown): object =>
  typeof value === "object" && value !== null ? value : {};

/** An object, with something in it and without our entry. */
const isFilled = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  !Object.hasOwn(value, "reprise");

test("[MCP-61] a comment that is all there is stays", () => {
  const alone = "{ // my comment\n}\n";
  const added = withMember(alone, path, entry);
  assert.deepEqual(memberIn(added, path), entry);
  assert.match(withoutMember(added, path), /^\{ \/\/ my comment\n\s*\}\n$/);
  const theirs = '{ // my comment\n "mcpServers": {"reprise": {}}, }\n';
  assert.match(withoutMember(theirs, path), /^\{ \/\/ my comment\n\s*\}\n$/);
});

test("[MCP-62] what is no JSON is refused, wherever it breaks", () => {
  for (const text of [
    "{",
    '{"a" 1}',
    "[1]",
    "nonsense",
    '{"a": 1} x',
    '{"mcpServers": []}',
    '{"mcpServers": {"reprise": }}',
    '{"a": "x\n"}',
    "/* {} ",
    `${'{"a":'.repeat(200)}1${"}".repeat(200)}`,
  ])
    assert.throws(() => withMember(text, path, entry), SyntaxError, text);
});

const table = { command: "/opt/reprise", args: ["mcp"] };
const rendered = lines(
  "[mcp_servers.reprise]",
  'command = "/opt/reprise"',
  'args = ["mcp"]',
);

test("[MCP-61] a table goes into a file and out again, and every other byte stays", () => {
  const name = "mcp_servers.reprise";
  for (const text of [
    "",
    lines('model = "o3" # mine'),
    lines("[mcp_servers.other]", 'command = "a"', "", "[tui]", "theme = 1"),
    lines('notes = """', "[mcp_servers.reprise]", '"""'),
    lines("[[things]]", "a = 1", "# the end"),
  ]) {
    const added = withTable(text, name, table);
    assert.ok(added.endsWith(rendered), added);
    assert.equal(tableIn(added, name), rendered.trimEnd());
    assert.equal(withTable(added, name, table), added);
    assert.equal(withoutTable(added, name), text);
  }
  const amid = lines(
    "[a]",
    "",
    '[ mcp_servers . "reprise" ]',
    'command = "old"',
    "[mcp_servers.reprise.env]",
    'A = "1"',
    "",
    "[b]",
  );
  assert.equal(
    withTable(amid, name, table),
    `${lines("[a]", "")}${rendered}${lines("", "[b]")}`,
  );
  assert.equal(withoutTable(amid, name), lines("[a]", "", "[b]"));
});

test("[MCP-62] a table in another form is left to who wrote it", () => {
  for (const text of [
    lines("[mcp_servers]", 'reprise = { command = "a" }'),
    lines('mcp_servers.reprise.command = "a"'),
    lines("mcp_servers = {}"),
    "[mcp_servers.reprise\nbroken",
  ])
    assert.throws(
      () => withTable(text, "mcp_servers.reprise", table),
      SyntaxError,
      text,
    );
});
