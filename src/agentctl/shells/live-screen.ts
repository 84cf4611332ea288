/**
 * The screen of one shell. Its thread draws it from the scrollback, one call after the other:
 *
 *     scrollback ─► open ─► write, resize … ─► snapshot, for whoever attaches
 *
 * The thread carries out the calls of all shells in their order, and each shell has at most one before it: so it goes round
 * them. When it breaks, the screen is made again from what is on the disk.
 */
import type { ShellId } from "../../contract/base/id.ts";
import type { Screens } from "./screen/screens.ts";
import type { ScreenNote, Snapshot } from "./screen/screen-messages.ts";
import type { Resize, Scrollback } from "./scrollback.ts";

/** So much may wait to be drawn; then no more is read. */
const MAX_BEHIND = 256 * 1024;
/** So much is in the memory of the thread before it is drawn. */
const MAX_PIECE = 64 * 1024;
/** Output that breaks the thread again and again is left out of the screen. */
const MAX_FAILURES = 3;
/** A snapshot waits at most for so many turns in which this screen is drawn. */
const MAX_TURNS = 64;
const NOTHING = new Uint8Array(0);

export interface LiveScreenParts {
  shell: ShellId;
  screens: Screens;
  scrollback: Scrollback;
  onNote: (note: ScreenNote) => void;
  /** It is not behind any more. */
  onCaughtUp(): void;
  onFailure(error: unknown): void;
}

interface SnapshotRequest {
  /** What the shell had shown when it was made. */
  upTo: number;
  /** It is answered after this turn, whatever is drawn then. */
  lastTurn: number;
  last: boolean;
  answer: PromiseWithResolvers<Snapshot>;
}

export class LiveScreen {
  readonly #parts: LiveScreenParts;
  #generation = -1;
  #failures = 0;
  /** Up to here the thread was given the scrollback. */
  #given = 0;
  /** It has more of that to draw. */
  #hasRest = false;
  /** Questions before it are not answered any more. */
  #liveFrom: number;
  /** Behind what was given. */
  #resizes: Resize[] = [];
  #requests: SnapshotRequest[] = [];
  #turns = 0;
  #wasBehind = false;
  #isWorking = false;
  #isClosed = false;

  constructor(parts: LiveScreenParts) {
    this.#parts = parts;
    this.#liveFrom = parts.scrollback.end;
    parts.screens.listen(parts.shell, parts.onNote);
  }

  get isBehind(): boolean {
    return this.#parts.scrollback.end - this.#given > MAX_BEHIND;
  }

  /** Something was added to the scrollback. */
  show(): void {
    void this.#work();
    this.#wasBehind = this.isBehind;
  }

  /** The terminal has another size from here on. */
  resized(): void {
    const { screens, scrollback } = this.#parts;
    const { size, resizedAt: offset } = scrollback;
    // When it is opened, it is told of all.
    if (screens.has(this.#generation)) this.#resizes.push({ offset, size });
    void this.#work();
  }

  /** What is to be seen. `last`: nothing more comes, so that it stands for everything if all of it is drawn. */
  snapshot(last = false): Promise<Snapshot> {
    if (this.#isClosed) return Promise.reject(leftError());
    const answer = Promise.withResolvers<Snapshot>();
    const { end: upTo } = this.#parts.scrollback;
    const lastTurn = this.#turns + MAX_TURNS;
    this.#requests.push({ upTo, lastTurn, last, answer });
    void this.#work();
    return answer.promise;
  }

  /** Resolves when those who waited have their snapshots, and the thread has forgotten it. */
  async close(): Promise<void> {
    await Promise.allSettled(
      this.#requests.map(({ answer }) => answer.promise),
    );
    this.#isClosed = true;
    await this.#parts.screens.forget(this.#parts.shell);
  }

  /** Its scrollback is about to be closed. */
  leave(): void {
    this.#isClosed = true;
    this.#refuse(leftError());
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    while (this.#hasWork) {
      try {
        await this.#step();
      } catch (error) {
        if (!this.#isClosed) this.#failed(error);
      }
      this.#tellIfCaughtUp();
    }
    this.#isWorking = false;
  }

  get #hasWork(): boolean {
    if (this.#isClosed) return false;
    return (
      this.#given < this.#parts.scrollback.end ||
      this.#hasRest ||
      this.#resizes.length > 0 ||
      this.#requests.length > 0
    );
  }

  #step(): Promise<unknown> {
    const { shell, screens, scrollback } = this.#parts;
    if (!screens.has(this.#generation)) return this.#open();
    const [request] = this.#requests;
    if (request !== undefined && request.lastTurn <= this.#turns)
      return this.#answer(request);
    if (this.#hasRest) return this.#write(NOTHING);
    const [resize] = this.#resizes;
    if (resize !== undefined && resize.offset <= this.#given) {
      this.#resizes.shift();
      return screens.call("resize", { shell, size: resize.size });
    }
    if (request !== undefined && request.upTo <= this.#given)
      return this.#answer(request);
    return this.#write(
      scrollback.read(this.#given, Math.min(MAX_PIECE, this.#nextStop())),
    );
  }

  async #open(): Promise<void> {
    const { shell, screens, scrollback } = this.#parts;
    const isBroken = this.#failures >= MAX_FAILURES;
    const snapshot = isBroken
      ? { offset: scrollback.end, ...scrollback.size, bytes: NOTHING }
      : scrollback.snapshot();
    this.#resizes = isBroken ? [] : scrollback.resizes();
    this.#liveFrom = Math.max(this.#liveFrom, this.#given);
    this.#given = snapshot.offset;
    this.#hasRest = false;
    const opened = screens.call("open", { shell, snapshot });
    this.#generation = screens.generation;
    await opened;
  }

  /** How many bytes may be given at once. */
  #nextStop(): number {
    const stops = [this.#resizes[0]?.offset, this.#liveFrom];
    return Math.min(
      ...stops.map((stop = 0) =>
        stop > this.#given ? stop - this.#given : MAX_PIECE,
      ),
    );
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { shell, screens } = this.#parts;
    if (bytes.length === 0 && !this.#hasRest)
      throw new Error("the scrollback was cut short");
    this.#given += bytes.length;
    const isReplay = this.#given <= this.#liveFrom;
    const isDrawn = await screens.call("write", { shell, bytes, isReplay });
    this.#hasRest = !isDrawn;
    this.#turns += 1;
  }

  async #answer(request: SnapshotRequest): Promise<void> {
    const { shell, screens } = this.#parts;
    const { answer } = request;
    const isDrawn = !this.#hasRest && request.upTo <= this.#given;
    const last = request.last && isDrawn;
    answer.resolve(await screens.call("snapshot", { shell, last }));
    this.#requests = this.#requests.filter((it) => it !== request);
  }

  #tellIfCaughtUp(): void {
    if (this.#isClosed) return;
    const wasBehind = this.#wasBehind;
    this.#wasBehind = this.isBehind;
    if (wasBehind && !this.#wasBehind) this.#parts.onCaughtUp();
  }

  #failed(error: unknown): void {
    const isAnothers = this.#isBrokenByAnother();
    this.#generation = -1;
    if (isAnothers) return;
    this.#failures += 1;
    if (this.#failures > 2 * MAX_FAILURES) this.#refuse(error);
    this.#parts.onFailure(error);
  }

  /** The thread is gone, and the last that it worked on was the screen of another shell. */
  #isBrokenByAnother(): boolean {
    const { shell, screens } = this.#parts;
    const { brokenBy } = screens;
    return (
      this.#generation !== -1 &&
      !screens.has(this.#generation) &&
      brokenBy !== null &&
      brokenBy !== shell
    );
  }

  #refuse(error: unknown): void {
    for (const { answer } of this.#requests.splice(0)) answer.reject(error);
  }
}

const leftError = (): Error => new Error("agentctl lets go of the shell");
