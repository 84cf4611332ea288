/** The form of a new task, as it is typed and as it is kept. */
import * as z from "zod";
import type { CreateTaskInput } from "../../../src/contract/api/task-request.ts";
import { budgetFrom, budgetTexts } from "./budget-form.ts";

const Form = z.object({
  title: z.string(),
  description: z.string(),
  agent: z.string(),
  directory: z.string(),
  isWorktree: z.boolean(),
  budget: z.object({
    turns: z.string(),
    minutes: z.string(),
    tokens: z.string(),
    cost: z.string(),
  }),
});
export type NewTaskForm = z.infer<typeof Form>;

const EMPTY: NewTaskForm = {
  title: "",
  description: "",
  agent: "demo",
  directory: "",
  isWorktree: false,
  budget: budgetTexts(),
};

/** What a draft holds; an empty form where there is none, or one that cannot be read. */
export const formFrom = (draft: string): NewTaskForm => {
  try {
    return Form.parse(JSON.parse(draft));
  } catch {
    return EMPTY;
  }
};

export const textOf = (form: NewTaskForm): string => JSON.stringify(form);

/** Null while something is missing or wrong. */
export const requestOf = (form: NewTaskForm): CreateTaskInput | null => {
  const title = form.title.trim();
  const directory = form.directory.trim();
  const budget = budgetFrom(form.budget);
  if (title === "" || budget === "wrong") return null;
  if (form.isWorktree && directory === "") return null;
  return {
    title,
    description: form.description,
    agent: form.agent,
    ...(directory !== "" &&
      (form.isWorktree ? { worktree: directory } : { cwd: directory })),
    ...(budget !== null && { budget }),
  };
};
