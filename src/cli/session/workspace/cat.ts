import { command } from "../../parsing/command.ts";
import { jsonLine, StreamSanitizer } from "../../terminal/sanitize.ts";
import { sessionArgument, targetOf } from "../shared/target.ts";

export const cat = command({
  name: "session cat",
  summary: "Write a file of a session's workspace to standard output",
  about:
    "Its bytes as they are, whatever its size; on a terminal without what a terminal would obey. With --json: its size, and its content in Base64.",
  args: [sessionArgument, { name: "PATH", help: "a file in the workspace" }],
  options: {},
  examples: [
    "reprise session cat ses_01jm src/main.ts",
    "reprise session cat ses_01jm build.tar > build.tar",
  ],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const { out, json } = world;
    if (json) {
      const pieces: Uint8Array[] = [];
      for await (const piece of client.fileContent(id, args.PATH))
        pieces.push(piece);
      const content = Buffer.concat(pieces);
      const document = {
        path: args.PATH,
        size: content.length,
        content_base64: content.toString("base64"),
      };
      out.write(`${jsonLine(document)}\n`);
      return 0;
    }
    const clean = new StreamSanitizer();
    const decoder = new TextDecoder();
    for await (const piece of client.fileContent(id, args.PATH)) {
      // A terminal would obey what an agent wrote.
      const text = () => clean.push(decoder.decode(piece, { stream: true }));
      out.write(out.isTerminal ? text() : piece);
      await out.drained();
    }
    if (out.isTerminal) out.write(clean.push(decoder.decode()) + clean.end());
    return 0;
  },
});
