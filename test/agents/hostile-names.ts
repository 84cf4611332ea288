import { converse, SESSION_ID, say, send, update } from "./converse.ts";

/** Ends lines, turns the direction of writing, hides, marks up, and goes on for ever. */
const hostile = (what: string): string =>
  `${what}\n\u202e\u2066gnp.exe\u0007\u001b[31m<b data-evil>${what}</b>${"W".repeat(3_000)}`;

const both = (what: string) =>
  ["a", "b"].map((id) => ({
    id: `${what}-${id}\u202e\u0007`,
    name: hostile(`${what} ${id}`),
  }));
const [modes, models] = [both("mode"), both("model")];

converse({
  "session/new": () => ({
    result: {
      sessionId: SESSION_ID,
      modes: { currentModeId: modes[0]?.id, availableModes: modes },
      models: {
        currentModelId: models[0]?.id,
        availableModels: models.map(({ id, name }) => ({ modelId: id, name })),
      },
    },
  }),
  "session/prompt": () => {
    for (const kind of ["other", "edit", "execute"])
      update({
        sessionUpdate: "tool_call",
        toolCallId: kind,
        title: hostile(`title ${kind}`),
        kind,
        status: "completed",
        locations: [{ path: `/tmp/${hostile("place")}` }],
        rawInput: { command: hostile("command") },
      });
    say("Said.");
    send({
      id: "question",
      method: "session/request_permission",
      params: {
        sessionId: SESSION_ID,
        toolCall: {
          toolCallId: "asked",
          title: hostile("asked"),
          kind: "execute",
          rawInput: { command: hostile("rm -r") },
        },
        options: [
          { optionId: "yes", name: hostile("Yes"), kind: "allow_once" },
          { optionId: "sure", name: hostile("Sure"), kind: "allow_once" },
          { optionId: "no", name: hostile("No"), kind: "reject_once" },
        ],
      },
    });
    return null;
  },
});
