import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type SessionId, ShellId } from "../../contract/base/id.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { LinkParams } from "../../contract/link/link.ts";
import {
  MAX_OPEN_SHELLS,
  type ShellEnding,
  shellSize,
} from "../../contract/session/shell.ts";
import { remove, writeDurably } from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import { ownJsonOrNull } from "../../kit/files/own-json.ts";
import { endMarked } from "../../kit/processes/marked-processes.ts";
import { isRunning } from "../../kit/processes/process-identity.ts";
import { DescriptorReserve } from "../base/descriptors.ts";
import { reasonOf } from "../base/log.ts";
import type { Owner } from "../base/owners.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { untilEndOfFile } from "../execution/hold/alive.ts";
import { environmentInside, sandboxPrefix } from "../sandbox/sandboxed.ts";
import { kindOf } from "../workspace/capture/kind-of.ts";
import { findScript, loginShell } from "./find-programs.ts";
import { HeldShell } from "./held-shell.ts";
import {
  launchShell,
  shellEnvironment,
  shellMark,
  type Start,
} from "./launch-shell.ts";
import { Screens } from "./screen/screens.ts";
import { Scrollback } from "./scrollback.ts";
import {
  EndRecord,
  makeFifos,
  type ShellFiles,
  shellFilesIn,
  ShellRecord,
} from "./shell-files.ts";

/** All shells of this place that are open at the same time. */
const MAX_OPEN = 128;
const END_MS = 10_000;

type OpenOrder = LinkParams<"shell_open">;

/** All shells of this place. */
export class Shells {
  readonly #daemon: Daemon;
  readonly #directory: string;
  readonly #shells = new Map<ShellId, Promise<HeldShell>>();
  readonly #known = new Map<ShellId, HeldShell>();
  readonly #screens = new Screens();
  readonly #descriptors = new DescriptorReserve();
  #script: Promise<string> | null = null;

  constructor(daemon: Daemon) {
    this.#daemon = daemon;
    this.#directory = join(daemon.directory, "shells");
  }

  /** Opens a shell; when it was opened before, that is the answer. */
  async open(
    order: OpenOrder,
    { owner, check }: { owner: Owner; check: () => void },
  ): Promise<HeldShell> {
    const { shell_id, session_id } = order;
    if (this.#shells.has(shell_id))
      return this.find(owner, session_id, shell_id);
    this.#refuseMore(owner, session_id);
    const giveBack = this.#descriptors.reserve();
    const opening = this.#open(order, owner, check).finally(giveBack);
    this.#shells.set(shell_id, opening);
    opening.catch(() => this.#shells.delete(shell_id));
    return opening;
  }

  /** Those of a session, oldest first. */
  of(owner: Owner, session: SessionId): HeldShell[] {
    return [...this.#known.values()]
      .filter(
        ({ record }) => record.owner === owner && record.session_id === session,
      )
      .toSorted((one, other) => (one.record.id < other.record.id ? -1 : 1))
      .toSorted((one, other) =>
        one.record.created_at.localeCompare(other.record.created_at),
      );
  }

  /** What belongs to another owner or session is not here. */
  async find(
    owner: Owner,
    session: SessionId,
    id: ShellId,
  ): Promise<HeldShell> {
    const shell = await this.#shells.get(id);
    const isTheirs =
      shell?.record.owner === owner && shell.record.session_id === session;
    if (shell !== undefined && isTheirs) return shell;
    throw new LinkError("unknown_shell", `${id} is not here`);
  }

  /** Ends a shell with all it started, and removes what is kept of it. */
  async remove(shell: HeldShell): Promise<void> {
    await shell.close("closed");
    const { id } = shell.record;
    this.#shells.delete(id);
    this.#known.delete(id);
    shell.leave();
    await this.#daemon.proxies.close(id);
    await remove(join(this.#directory, id));
  }

  /** Ends the shells of a session. */
  async endOf(
    owner: Owner,
    session: SessionId,
    reason: ShellEnding,
  ): Promise<void> {
    const open = this.of(owner, session).filter(({ end }) => end === null);
    await Promise.all(open.map((shell) => shell.close(reason)));
  }

  async removeOf(owner: Owner, session: SessionId): Promise<void> {
    for (const shell of this.of(owner, session)) await this.remove(shell);
  }

  /** Takes over what an agentctl before us left behind. */
  async adoptAll(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#directory);
    await Promise.all(
      names.map((name) =>
        this.#adopt(name).catch((error: unknown) =>
          this.#log(name)("cannot adopt", error),
        ),
      ),
    );
  }

  /** Lets go of every shell; they go on. */
  async leave(): Promise<void> {
    for (const shell of this.#known.values()) shell.leave();
    await this.#screens.close();
  }

  /** For when nobody can ever reach them again. */
  async endAll(): Promise<void> {
    const open = [...this.#known.values()].filter(({ end }) => end === null);
    await Promise.all(open.map(({ mark }) => endMarked(mark, END_MS)));
  }

  #refuseMore(owner: Owner, session: SessionId): void {
    const opening = this.#shells.size - this.#known.size;
    const running = (shells: readonly HeldShell[]): number =>
      shells.filter(({ isRunning }) => isRunning).length + opening;
    const here = running(this.of(owner, session));
    const all = running([...this.#known.values()]);
    if (here >= MAX_OPEN_SHELLS)
      throw new LinkError(
        "too_many_shells",
        `${MAX_OPEN_SHELLS} shells of the session are open. Close one of them first.`,
      );
    if (all >= MAX_OPEN)
      throw new LinkError(
        "too_many_shells",
        `${MAX_OPEN} shells are open on this machine. Close some of them first.`,
      );
  }

  async #open(
    order: OpenOrder,
    owner: Owner,
    check: () => void,
  ): Promise<HeldShell> {
    const { shell_id: id, session_id, cwd } = order;
    if ((await kindOf(cwd)) !== "directory")
      throw new LinkError(
        "workspace_unreadable",
        `${cwd} is not there, or is no directory. Bring the workspace back first.`,
      );
    const [script, program] = [await this.#findScript(), await loginShell()];
    check();
    const size = shellSize(order);
    const files = shellFilesIn(join(this.#directory, id));
    const record: ShellRecord = {
      id,
      session_id,
      owner,
      command: program,
      cwd,
      created_at: new Date().toISOString(),
      wrapper: null,
      ...(order.sandbox !== undefined && { sandbox: order.sandbox }),
    };
    try {
      await makeDirectory(files.directory);
      await makeDirectory(files.scrollback);
      // Before anything runs: who finds this without a wrapper ends what bears its mark.
      await writeDurably(files.record, JSON.stringify(record));
      await makeFifos(files, this.#daemon.fifos);
      const scrollback = Scrollback.create(files.scrollback, size);
      const { wrapper, gone } = await launchShell(files, {
        script,
        program,
        cwd,
        size,
        ...(await this.#inside(order, program)),
      });
      await writeDurably(files.record, JSON.stringify({ ...record, wrapper }));
      const shell = this.#held({ ...record, wrapper }, files, scrollback);
      shell.hold(gone);
      return shell;
    } catch (error) {
      await endMarked(shellMark(id), END_MS);
      await remove(files.directory);
      throw error;
    }
  }

  async #inside(
    order: OpenOrder,
    program: string,
  ): Promise<Pick<Start, "env" | "prefix">> {
    const { sandbox, session_id, cwd } = order;
    const env = shellEnvironment(order, order.env);
    if (sandbox === undefined) return { env, prefix: [] };
    const inside = environmentInside(env, sandbox);
    const prefix = await sandboxPrefix(this.#daemon, {
      id: order.shell_id,
      sandbox,
      session_id,
      cwd,
      env: inside,
      given: env,
      argv: [program],
    });
    return { env: inside, prefix };
  }

  async #adopt(name: string): Promise<void> {
    const files = shellFilesIn(join(this.#directory, name));
    if (!ShellId.safeParse(name).success)
      return this.#daemon.log("no shell", { name });
    const record = await ownJsonOrNull(files.record, (it) =>
      ShellRecord.parse(it),
    );
    const scrollback = openScrollback(files);
    // Its opening was cut short: nobody was told of it.
    if (record?.wrapper == null || scrollback === null) {
      const isEnded = await endMarked(`REPRISE_SHELL=${name}`, END_MS);
      return isEnded ? remove(files.directory) : undefined;
    }
    const ended = await ownJsonOrNull(files.end, (it) => EndRecord.parse(it));
    const shell = this.#held(record, files, scrollback, ended);
    this.#shells.set(record.id, Promise.resolve(shell));
    if (ended !== null) return;
    const lives = await isRunning(record.wrapper);
    if (lives)
      await this.#daemon.proxies.reopen(record.id, record.sandbox?.hosts);
    // Opened first: a FIFO that nobody writes to says so only to who had it open before.
    const gone = untilEndOfFile(files.alive);
    const isOver = !lives || existsSync(files.exit);
    shell.hold(isOver ? Promise.resolve() : gone);
  }

  #held(
    record: ShellRecord,
    files: ShellFiles,
    scrollback: Scrollback,
    ended: EndRecord | null = null,
  ): HeldShell {
    const log = this.#log(record.id);
    const screens = this.#screens;
    const parts = { record, files, scrollback, screens, log };
    const shell = new HeldShell(parts, ended);
    this.#known.set(record.id, shell);
    return shell;
  }

  #log(shell: string): (words: string, error: unknown) => void {
    return (words, error) =>
      this.#daemon.log(words, { shell, error: reasonOf(error) });
  }

  /** It may be installed later: only what was found is remembered. */
  #findScript(): Promise<string> {
    this.#script ??= findScript().catch((error: unknown) => {
      this.#script = null;
      throw error;
    });
    return this.#script;
  }
}

const openScrollback = ({ scrollback }: ShellFiles): Scrollback | null => {
  try {
    return Scrollback.open(scrollback);
  } catch {
    return null;
  }
};
