import assert from "node:assert/strict";
import { test } from "node:test";
import { StreamSanitizer, jsonLine, oneLine, sanitize } from "./sanitize.ts";

const hostile: [what: string, text: string, shown: string][] = [
  ["colours", "\x1b[31mred\x1b[0m", "red"],
  ["cursor moves and clearing", "a\x1b[2J\x1b[1;1Hb\x1b[?25l", "ab"],
  ["OSC 8 links", "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\", "click"],
  ["OSC 52 clipboard", "a\x1b]52;c;cm0gLXJm\x07b", "ab"],
  ["OSC 0 titles", "\x1b]0;title\x07x", "x"],
  [
    "DCS, APC, PM, SOS",
    "a\x1bP1$r\x1b\\\x1b_G\x1b\\\x1b^p\x1b\\\x1bXs\x1b\\b",
    "ab",
  ],
  ["reset and charsets", "\x1bca\x1b(0b\x1b=", "ab"],
  ["C1 CSI and OSC", "a\x9b31mb\x9d0;t\x9cc", "abc"],
  ["lone C1", "a\x85b", "a\\x85b"],
  ["lone escape", "a\x1b", "a\\x1b"],
  [
    "an OSC without end",
    "a\x1b]52;c;abc\nnext line",
    "a\\x1b]52;c;abc\nnext line",
  ],
  [
    "bell, backspace, NUL, DEL",
    "a\x07b\x08c\x00d\x7f",
    "a\\x07b\\x08c\\x00d\\x7f",
  ],
  ["carriage return", "safe\rrm -rf", "safe\\x0drm -rf"],
  ["CRLF", "a\r\nb", "a\nb"],
  ["bidi override", "a\u202etxt.exe\u202c", "a\\u202etxt.exe\\u202c"],
  ["bidi isolates and marks", "\u2066x\u2069\u200f", "\\u2066x\\u2069\\u200f"],
  ["line separators", "a\u2028b", "a\nb"],
  ["a lone surrogate", "a\ud800b", "a\ufffdb"],
  ["nested sequences", "\x1b\x1b[31m[32mx", "\\x1b[32mx"],
  ["honest text", "Größe\t日本 👩‍👩‍👧 «ok»\n", "Größe\t日本 👩‍👩‍👧 «ok»\n"],
];

for (const [what, text, shown] of hostile)
  test(`hostile output is only text: ${what}`, () => {
    assert.equal(sanitize(text), shown);
  });

test("nothing that a terminal obeys is left, whatever comes in", () => {
  const bytes = Array.from({ length: 0x100 }, (_, i) => String.fromCharCode(i));
  for (const a of bytes)
    for (const b of ["", "[", "]", "P", "\\", "\x1b"])
      assert.doesNotMatch(
        sanitize(`\x1b${a}${b}x${a}\x9b${b}`),
        /[\p{Cc}--[\t\n]]/v,
      );
});

test("pieces give the same text as the whole, wherever it is cut", () => {
  for (const [what, text, shown] of hostile)
    for (let cut = 0; cut <= text.length; cut++) {
      const stream = new StreamSanitizer();
      const out =
        stream.push(text.slice(0, cut)) +
        stream.push(text.slice(cut)) +
        stream.end();
      assert.equal(out, shown, `${what}, cut at ${cut}`);
    }
});

test("one line stays one line", () => {
  assert.equal(oneLine("  a\n\tb\r\n\x1b[1mc\u2029 "), "a b c");
});

test("JSON on a terminal keeps its value and loses its power", () => {
  const value = { text: "\x9b31m\u202e\x7f\x1b[0m" };
  const line = jsonLine(value);
  assert.doesNotMatch(line, /[\p{Cc}\p{Bidi_Control}]/v);
  assert.deepEqual(JSON.parse(line), value);
});
