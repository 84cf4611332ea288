/** Tells a session as it happens: events in, clean text out. It only remembers what it has already said. */
import { ofLaterRelease } from "../../client/client.ts";
import type {
  Event,
  EventDataOf,
  EventOf,
} from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import { callName } from "../../contract/agent/call-name.ts";
import { mergeTool, type Tool } from "../../contract/agent/tool.ts";
import { StreamSanitizer, oneLine } from "../terminal/sanitize.ts";
import { clockTime } from "../terminal/clock-time.ts";
import { correctCommands } from "../text/correct.ts";
import { indented } from "../terminal/indented.ts";
import { marked } from "../terminal/marked.ts";
import { permitCommands, resolveCommands } from "../text/next-command.ts";
import type { Palette } from "../terminal/palette.ts";
import { permissionText } from "../text/permission.ts";
import { resumeWords } from "../text/resume.ts";
import { shortName, statusWords, toolOutput } from "../text/tool.ts";
import { turningPoint } from "../text/turning-point.ts";
import { settingsLine } from "../text/settings.ts";
import { sessionEnd, turnEnd } from "../text/turn-end.ts";
import { planText } from "./plan-text.ts";
import { isQuiet } from "./quiet.ts";

const MAX_OVER_TOOLS = 64;

/** A call, and the name that was told when it began. */
interface ShownTool {
  tool: Tool;
  shownName: string;
}

interface OpenText {
  id: string;
  paint: (text: string) => string;
  stream: StreamSanitizer;
}

export class Narrator {
  readonly #palette: Palette;
  readonly #program: string;
  readonly #isOfTask: boolean;
  #open: OpenText | null = null;
  #atLineStart = true;
  readonly #questions = new Set<string>();
  /** Calls that an update can be about: those that run, and a few of those that are over. */
  readonly #tools = new Map<string, ShownTool>();
  readonly #overTools = new Set<string>();
  /** The newest call that has no end yet. */
  #running: { id: string; name: string } | null = null;
  #lastTool: string | null = null;
  /** The last resume lost something, and that was printed. */
  #isLossTold = false;
  /** The end of a turn has just told the agent's error. */
  #errorTold = false;
  /** A request that nobody is asked about: its answer comes next. */
  #unasked: Permission | null = null;

  /**
   * @param program what commands begin with.
   * @param isOfTask a task decides what becomes of prompts that were cut off: nobody is asked to.
   */
  constructor(palette: Palette, program: string, isOfTask = false) {
    this.#palette = palette;
    this.#program = program;
    this.#isOfTask = isOfTask;
  }

  /** How many requests were told and not yet answered. */
  get questions(): number {
    return this.#questions.size;
  }

  /** What runs, by its newest name. */
  get running(): string | null {
    return this.#running?.name ?? null;
  }

  get atLineStart(): boolean {
    return this.#atLineStart;
  }

  /** @param goesOn when a turn that is cut off goes on by itself: nobody is asked to decide about it. */
  tell(event: Event, goesOn: string | null = null): string {
    const isRepeated =
      this.#errorTold &&
      event.type === "session.notice" &&
      event.data.code === "agent_error";
    this.#errorTold =
      event.type === "session.turn.ended" && event.data.error !== null;
    return isRepeated ? "" : this.#tell(event, goesOn);
  }

  #tell(event: Event, goesOn: string | null): string {
    const { dim, red } = this.#palette;
    if (isQuiet(event)) return "";
    switch (event.type) {
      case "session.message.added":
        return this.#message(event.data.message);
      case "session.message.updated":
        return this.#more(event.data);
      case "session.tool.updated":
        return this.#tool(event.data.id, event.data.tool);
      case "session.plan.updated":
        return this.#lines(dim(planText(event.data.entries)));
      case "session.permission.requested":
        return this.#question(event);
      case "session.permission.answered":
        this.#questions.delete(event.data.id);
        return this.#lines(dim(this.#answer(event.data)));
      case "session.permission.closed":
        this.#questions.delete(event.data.id);
        return this.#lines(
          dim(`  the request is closed: ${event.data.reason}`),
        );
      case "session.resumed":
        this.#isLossTold = event.data.resume.lost !== null;
        return this.#lines(
          dim(`── resumed, ${resumeWords(event.data.resume)}`),
        );
      case "session.turn.ended":
        this.#running = null;
        return this.#lines(turnEnd(event, this.#palette));
      case "session.turn.interrupted":
      case "session.prompt.uncertain":
        this.#running = null;
        return this.#lines(this.#cut(event, goesOn));
      case "session.agentctl_error":
        return this.#lines(red(`! ${oneLine(event.data.message)}`));
      case "session.notice":
        return this.#notice(event.data);
      case "session.state_changed":
        return this.#stateChange(event);
      case "session.ended":
        return this.#lines(dim(sessionEnd(event)));
      case "session.rewound":
      case "session.handed_off":
      case "session.quota.passed_over":
        return this.#lines(dim(turningPoint(event)));
      case "session.deleted":
        return this.#lines(dim("── in the trash"));
      case "session.definition.changed":
        return event.data.applied === undefined
          ? ""
          : this.#lines(dim(settingsLine(event.data.applied)));
      default:
        return ofLaterRelease(event, "");
    }
  }

  #cut(
    event: EventOf<"session.turn.interrupted" | "session.prompt.uncertain">,
    goesOn: string | null,
  ): string {
    const line = turnEnd(event, this.#palette);
    if (goesOn !== null) return `${line}\n${this.#palette.dim(`── ${goesOn}`)}`;
    if (this.#isOfTask) return line;
    const { session_id, data } = event;
    return [
      line,
      ...this.#usedUp(event),
      indented(resolveCommands(this.#program, session_id, data.prompt_id)),
    ].join("\n");
  }

  #usedUp(
    event: EventOf<"session.turn.interrupted" | "session.prompt.uncertain">,
  ): string[] {
    if (event.type === "session.prompt.uncertain") return [];
    const until = event.data.limit?.resets_at ?? null;
    if (until === null) return [];
    const when = clockTime(until, new Date(event.at));
    return [this.#palette.dim(`── the quota is used up until ${when}`)];
  }

  /** What is still held back, and the end of the line. */
  end(): string {
    return this.#closeText();
  }

  #message(message: Message): string {
    const { bold, dim, yellow } = this.#palette;
    switch (message.role) {
      case "user":
        return this.#lines(bold(marked("> ", message.text)));
      case "agent":
        return this.#begin(message, (text) => text, "");
      case "thought":
        return this.#begin(message, dim, "· ");
      case "tool":
        return this.#tool(message.id, {
          id: "",
          title: message.text,
          ...message.tool,
        });
      case "notice":
        return this.#lines(yellow(marked("! ", message.text)));
    }
  }

  /** Text that goes on streaming. */
  #begin(
    { id, text, continues }: Message,
    paint: (text: string) => string,
    mark: string,
  ): string {
    if (continues !== undefined && this.#open?.id === continues) {
      this.#open.id = id;
      return this.#say(text);
    }
    const before = this.#closeText();
    this.#lastTool = null;
    this.#open = { id, paint, stream: new StreamSanitizer() };
    return before + this.#say(mark + text);
  }

  #more({ id, append, text }: EventDataOf<"session.message.updated">): string {
    if (append !== undefined && this.#open?.id === id) return this.#say(append);
    // Other text came between, or we joined in the middle, or it was replaced: it goes on in a paragraph of its own.
    const before = this.#closeText();
    this.#open = { id, paint: (said) => said, stream: new StreamSanitizer() };
    return before + this.#say(append ?? text ?? "");
  }

  #say(text: string): string {
    const clean = this.#open?.stream.push(text) ?? "";
    if (clean === "") return "";
    this.#atLineStart = clean.endsWith("\n");
    return this.#open?.paint(clean) ?? clean;
  }

  #tool(id: string, change: Tool): string {
    const known = this.#tools.get(id);
    const tool = mergeTool(known?.tool, change);
    const name = shortName(tool);
    const status = statusWords(change.status);
    const shownName = known?.shownName ?? name;
    this.#tools.set(id, { tool, shownName });
    if (status === null) this.#running = { id, name };
    else this.#forget(id, { tool, shownName });
    if (known !== undefined && status === null) return "";
    const { cyan, dim } = this.#palette;
    // Right under its own line the name need not be said again, unless the agent has another one for it by now.
    const isSaid = this.#lastTool === id && name === shownName;
    const line =
      known === undefined
        ? `${cyan("▸")} ${name}${dim(status === null ? "" : `  ${status}`)}`
        : dim(`  ↳ ${isSaid ? "" : `${name}: `}${status}`);
    const output = status === null ? "" : toolOutput(tool);
    const text = this.#lines(output === "" ? line : `${line}\n${dim(output)}`);
    this.#lastTool = id;
    return text;
  }

  /** A call that is over is known by its name for a while: a long turn makes any number of them. */
  #forget(id: string, { tool, shownName }: ShownTool): void {
    this.#tools.set(id, {
      tool: { id: tool.id, title: callName(tool) },
      shownName,
    });
    if (this.#running?.id === id) this.#running = null;
    this.#overTools.delete(id);
    this.#overTools.add(id);
    const [oldest] = this.#overTools;
    if (this.#overTools.size <= MAX_OVER_TOOLS || oldest === undefined) return;
    this.#overTools.delete(oldest);
    this.#tools.delete(oldest);
  }

  #question({
    session_id,
    data: { permission, answered_by },
  }: EventOf<"session.permission.requested">): string {
    if (answered_by === "policy") {
      this.#unasked = permission;
      return "";
    }
    this.#questions.add(permission.id);
    const { dim, yellow } = this.#palette;
    return this.#lines(
      `${yellow("?")} ${permissionText(permission, dim)}\n${indented(permitCommands(this.#program, session_id, permission))}`,
    );
  }

  #answer({
    id,
    option_id,
    by,
  }: EventDataOf<"session.permission.answered">): string {
    const asked = this.#unasked;
    this.#unasked = null;
    if (asked?.id !== id)
      return `  answered${by === "policy" ? " by its policy" : ""}: ${oneLine(option_id)}`;
    const option = asked.options.find((each) => each.id === option_id);
    return `? ${oneLine(asked.title)}  answered by its policy: ${oneLine(option?.name ?? option_id)}`;
  }

  #notice({ level, code, text }: EventDataOf<"session.notice">): string {
    // The resume has said it; the notice is for those who see only messages.
    if (code === "context_lost" && this.#isLossTold) return "";
    const { dim, yellow } = this.#palette;
    return this.#lines((level === "info" ? dim : yellow)(`! ${oneLine(text)}`));
  }

  #stateChange({
    session_id,
    data: { to, message, restriction, code },
  }: EventOf<"session.state_changed">): string {
    if (to === "PAUSED") return this.#lines(this.#palette.dim("── paused"));
    if (to !== "ERROR") return "";
    const words = this.#palette.red(
      `── it could not go on: ${oneLine(message ?? "")}`,
    );
    const agents =
      code === "agent_not_installed" ? `${this.#program} agents` : null;
    const commands = restriction
      ? correctCommands(this.#program, session_id, restriction)
      : agents;
    const advice = commands === null ? "" : `\n${indented(commands)}`;
    return this.#lines(`${words}${advice}`);
  }

  /** Whole lines, after whatever text was open. */
  #lines(text: string): string {
    const before = this.#closeText();
    this.#atLineStart = true;
    this.#lastTool = null;
    return `${before}${text.replace(/\n$/, "")}\n`;
  }

  #closeText(): string {
    const rest = this.#open?.stream.end() ?? "";
    this.#open = null;
    const isLineStart = rest === "" ? this.#atLineStart : rest.endsWith("\n");
    this.#atLineStart = true;
    return isLineStart ? rest : `${rest}\n`;
  }
}
