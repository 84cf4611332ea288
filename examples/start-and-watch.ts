/** Starts a session, gives it a prompt, prints what the agent says and does, and then what came of it. */
import { Reprise } from "reprise/client";

const reprise = new Reprise({
  url: process.env["REPRISE_URL"] ?? "http://127.0.0.1:7420",
  token: process.env["REPRISE_TOKEN"],
});

const session = await reprise.sessions.start({
  agent: "demo",
  cwd: process.cwd(),
});
const turn = await session.prompt("write login.txt fixed\nrecall login", {
  key: "job-7",
});
// Each message when it is finished. A server that is killed meanwhile is waited for, and no message is missed.
for await (const message of turn)
  console.log(`${message.role}: ${message.text}`);

const { status, text, files, resume } = await turn.result();
console.log(status, text, files, resume?.grade ?? "the agent was never away");
await session.end();
