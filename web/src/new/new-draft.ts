/**
 * What somebody has typed and chosen for a new session, kept in the browser. The key belongs to the request as it was sent: the same
 * request has it again, also after the page was loaded again, until the server has taken it.
 */
import * as z from "zod";
import type { CreateSessionInput } from "../../../src/contract/api/request.ts";
import { NEW_DRAFT } from "../store/drafts.ts";
import type { Shelf } from "../store/storage.ts";
import { choicesKept, EMPTY_FORM, Form } from "./form.ts";

const MAX_DIRECTORIES = 20;

const Kept = z.object({
  form: Form,
  /** The last attempt of which no answer is known. */
  attempt: z.object({ request: z.string(), key: z.string() }).nullable(),
  /** Where sessions were started from this page, the newest first. */
  directories: z.array(z.string()),
});
type Kept = z.infer<typeof Kept>;

export interface NewDraftOptions {
  shelf: Shelf;
  newKey: () => string;
}

export class NewDraft {
  readonly #options: NewDraftOptions;

  constructor(options: NewDraftOptions) {
    this.#options = options;
  }

  read(): Pick<Kept, "form" | "directories"> {
    const { form, directories } = this.#kept();
    return { form, directories };
  }

  /** False where it is kept only until the page is closed. */
  write(form: Form): boolean {
    return this.#put({ ...this.#kept(), form });
  }

  /** The key of a request: that of the last attempt, where it is the same one. What is attached is too large to be kept here: its ids are. */
  keyFor(
    { content, ...request }: CreateSessionInput,
    attached: readonly string[] = [],
  ): string {
    const kept = this.#kept();
    const [first] = content ?? [];
    const prompt = first?.type === "text" ? first.text : undefined;
    const text = JSON.stringify(
      content === undefined ? request : { ...request, prompt, attached },
    );
    if (kept.attempt?.request === text) return kept.attempt.key;
    const key = this.#options.newKey();
    this.#put({ ...kept, attempt: { request: text, key } });
    return key;
  }

  /** The server has taken what was sent under this key. What was typed since stays. */
  taken(key: string, sent: Form): void {
    const kept = this.#kept();
    if (kept.attempt?.key !== key) return;
    const directory = kept.form.directory.trim();
    const others = kept.directories.filter((each) => each !== directory);
    this.#put({
      form:
        kept.form.prompt === sent.prompt ? choicesKept(kept.form) : kept.form,
      attempt: null,
      directories: [...(directory === "" ? [] : [directory]), ...others].slice(
        0,
        MAX_DIRECTORIES,
      ),
    });
  }

  #kept(): Kept {
    const text = this.#options.shelf.read(NEW_DRAFT);
    try {
      return Kept.parse(JSON.parse(text ?? "null"));
    } catch {
      return { form: EMPTY_FORM, attempt: null, directories: [] };
    }
  }

  #put(kept: Kept): boolean {
    return this.#options.shelf.write(NEW_DRAFT, JSON.stringify(kept));
  }
}
