/** A command is data and one function. Parsing and help come from the same data, so they cannot disagree. */
import type { World } from "../terminal/world.ts";

export interface Argument {
  name: string;
  help: string;
  optional?: true;
  /** One or more; only the last argument of a command. */
  many?: true;
  choices?: readonly string[];
}

export type Option =
  | { kind: "flag"; help: string }
  | { kind: "number"; value: string; help: string; max?: number }
  /** May be given several times. */
  | { kind: "list"; value: string; help: string }
  | {
      kind: "text";
      value: string;
      help: string;
      /** One letter that means the same: `-f`. */
      short?: string;
      choices?: readonly string[];
      required?: true;
    };

export type Options = Readonly<Record<string, Option>>;
type Arguments = readonly Argument[];

type Choice<T> = T extends { choices: readonly (infer C)[] } ? C : string;
type OptionValue<O extends Option> = O extends { kind: "flag" }
  ? boolean
  : O extends { kind: "number" }
    ? number | undefined
    : O extends { kind: "list" }
      ? readonly string[]
      : O extends { required: true }
        ? Choice<O>
        : Choice<O> | undefined;

/** The arguments and options that a user typed, as the command declared them. */
export interface CommandInput<A extends Arguments, O extends Options> {
  args: {
    [X in A[number] as X["name"]]: X extends { many: true }
      ? readonly string[]
      : X extends { optional: true }
        ? Choice<X> | undefined
        : Choice<X>;
  };
  options: { [K in keyof O]: OptionValue<O[K]> };
  /** What came behind `--`, where the command takes that. */
  rest: readonly string[];
}

/** The same, without the declaration in its type. */
export interface AnyInput {
  args: Record<string, string | readonly string[] | undefined>;
  options: Record<
    string,
    string | number | boolean | readonly string[] | undefined
  >;
  rest: readonly string[];
}

interface Declared<A extends Arguments, O extends Options, I> {
  /** As it is typed: `session start`. */
  name: string;
  summary: string;
  /** More than the summary says, in whole sentences. */
  about?: string;
  args: A;
  options: O;
  /** The command takes a command line of another program, behind `--`. */
  rest?: { name: string; help: string };
  examples: readonly string[];
  /** Exit codes that mean something special here. */
  exits?: Readonly<Record<number, string>>;
  /** Not in the list of everyday commands. */
  advanced?: true;
  /** An exit code of ours, or that of a program which was run for the user. */
  run(input: I, world: World): Promise<number>;
}

export type Command = Declared<Arguments, Options, AnyInput>;

/** Ties the function's argument to the declaration; the parser keeps to the same declaration. */
export const command = <const A extends Arguments, const O extends Options>(
  declared: Declared<A, O, CommandInput<A, O>>,
): Command => declared;
