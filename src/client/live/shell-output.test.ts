import assert from "node:assert/strict";
import { test } from "node:test";
import { ShellOutput } from "./shell-output.ts";

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** Shown in pieces that end at these places. */
const shown = (text: string, ...cuts: readonly number[]): string => {
  const output = new ShellOutput();
  const bytes = bytesOf(text);
  const pieces = [...cuts, bytes.length].map((to, at) =>
    output.take(bytes.subarray(at === 0 ? 0 : cuts[at - 1], to)),
  );
  return Buffer.concat(pieces).toString();
};

const questions = [
  "\x1b[c",
  "\x1b[0c",
  "\x1b[>c",
  "\x1b[=c",
  "\x1b[5n",
  "\x1b[6n",
  "\x1b[?6n",
  "\x1b[?996n",
  "\x1b[?2026$p",
  "\x1b[4$p",
  "\x1b[>0q",
  "\x1b[?u",
  "\x1b[14t",
  "\x1b[018t",
  "\x1b[21t",
  "\x1b[x",
  "\x1bZ",
  "\x05",
  "\u009b6n",
  "\u009a",
  "\x1b]11;?\x07",
  "\x1b]10;?;?\x07",
  "\x1b]4;1;?\x07",
  "\x1b]52;c;?\x07",
  "\x1b]1337;ReportCellSize\x07",
  "\u009d11;?\x07",
];

const orders = [
  "\x1b[31mred\x1b[0m",
  "\x1b[2J\x1b[H",
  "\x1b[1;5r",
  "\x1b[8;24;80t",
  "\x1b[22;0t",
  "\x1b[>4;2m",
  "\x1b[>1u",
  "\x1b[2 q",
  "\x1b[?1049h",
  "\x1b]0;what?\x07",
  "\x1b]8;;https://a.example/?q=?\x1b\\link\x1b]8;;\x1b\\",
  "\x1b]11;#ffffff\x07",
  "\x1b]52;c;aGk=\x07",
  "\x1b(0lqqk\x1b(B",
  "\x1b7\x1b8\x1bM\x1bc",
  "é Â 漢 🎉",
  "\u0085",
  "\x1b[3\x18plain",
];

test("[SHL-24] what a program asks the terminal is taken out, wherever it is cut", () => {
  for (const question of questions) {
    const text = `before${question}after`;
    for (let cut = 0; cut <= bytesOf(text).length; cut++)
      assert.equal(
        shown(text, cut),
        "beforeafter",
        `${JSON.stringify(question)} cut at ${cut}`,
      );
  }
});

test("[SHL-24] questions with a terminator of two characters leave it alone, which does nothing", () => {
  assert.equal(shown("a\x1b]11;?\x1b\\b"), "a\x1b\\b");
  assert.equal(shown("a\x1bP$qm\x1b\\b"), "a\x1b\\b");
  assert.equal(shown("a\x1bP+q544e\x1b\\b"), "a\x1b\\b");
  assert.equal(shown("a\x1b_Ga=q,i=1;AAAA\x1b\\b"), "a\x1b\\b");
});

test("[SHL-24] everything else is shown as it came, wherever it is cut", () => {
  for (const order of orders)
    for (let cut = 0; cut <= bytesOf(order).length; cut++)
      assert.equal(shown(`${order}.`, cut), `${order}.`, JSON.stringify(order));
});

test("[SHL-24] a control character inside of a question is carried out", () => {
  assert.equal(shown("a\x1b[6\r\nnb"), "a\r\nb");
});

test("[SHL-24] no more than a few kilobytes are held back", () => {
  const picture = `\x1bPq${"#0~".repeat(5000)}`;
  const output = new ShellOutput();
  assert.equal(textOf(output.take(bytesOf(picture))), picture);
  assert.equal(textOf(output.take(bytesOf("\x1b\\on"))), "\x1b\\on");
  // What could be a question is not shown, however long it is.
  assert.equal(shown(`\x1b]4;${"1;?;".repeat(5000)}\x07on`), "on");
  assert.equal(shown(`\x1b[${"0".repeat(9000)}5non`), "on");
});

test("[SHL-24] it knows whether a program shows its own screen", () => {
  const output = new ShellOutput();
  const isFullScreen = (text: string): boolean => {
    output.take(bytesOf(text));
    return output.isFullScreen;
  };
  assert.equal(isFullScreen("$ vi\r\n"), false);
  assert.equal(isFullScreen("\x1b[?1049"), false);
  assert.equal(isFullScreen("h"), true);
  assert.equal(isFullScreen("\x1b[?25l\x1b[?1h"), true);
  assert.equal(isFullScreen("\x1b[?25;1049l"), false);
  assert.equal(isFullScreen("\x1b[?47h"), true);
  assert.equal(isFullScreen("\x1bc"), false);
  assert.equal(isFullScreen("\x1b[?1049h"), true);
  output.restart();
  assert.equal(output.isFullScreen, false);
});
