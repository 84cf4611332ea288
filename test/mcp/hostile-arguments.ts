/** Arguments that no client should send, made from what a tool says that it takes: a new tool needs no line here. */
import * as z from "zod";

const Property = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
});
type Property = z.infer<typeof Property>;

export const ListedTool = z.looseObject({
  name: z.string(),
  inputSchema: z.looseObject({
    properties: z.record(z.string(), Property).default({}),
    required: z.array(z.string()).default([]),
    additionalProperties: z.literal(false),
  }),
  annotations: z.looseObject({ readOnlyHint: z.boolean() }),
});
export type ListedTool = z.infer<typeof ListedTool>;

export interface HostileCall {
  what: string;
  /** As JSON, because some of it cannot be said otherwise. */
  args: string;
  /** What the refusal must name; null where the call may be answered all the same. */
  names: string | null;
}

export const DEEP = `${"[".repeat(5000)}${"]".repeat(5000)}`;
const LONG = JSON.stringify("x".repeat(1024 * 1024));

/** One value of each type. */
const SAMPLES: Record<string, string[]> = {
  string: ['"text"'],
  number: ["7"],
  boolean: ["true"],
  array: ["[]", DEEP],
  object: ["{}", '{"__proto__":{"admin":true}}'],
  null: ["null"],
};

/** Of the right type, and nothing that a tool could take as it is. */
const TEXTS = [
  '""',
  LONG,
  '"\\ud800"',
  '"a\\u0000b"',
  '"\\u001b[2J\\r\\n\\u202e\\u2028"',
  '"../../../../etc/passwd"',
  '"/etc/passwd"',
  '"%2e%2e%2f%00"',
  '"__proto__"',
  '"constructor"',
  '"undefined"',
  '"$(id)"',
  '"ses_00000000000000000000000000"',
  '"tsk_00000000000000000000000000"',
  '"prm_00000000000000000000000000"',
  '"per_1_1"',
  '"msg_1"',
];
const NUMBERS = ["-1", "1.5", "1e400", "-1e400", "9007199254740993", '"NaN"'];
const LISTS = ["[null]", '[""]', '["a\\u0000b"]', DEEP, `[${LONG}]`];

/** Each names nothing that exists, so that no call with them changes anything. */
const named: Partial<Record<string, string>> = {
  agentName: '"no-such-agent"',
  promptId: '"prm_00000000000000000000000000"',
  permissionId: '"per_9_9"',
};

export const hostileCalls = (tool: ListedTool): HostileCall[] => {
  const { properties, required } = tool.inputSchema;
  const usual = Object.fromEntries(
    required.map((name) => [name, usualFor(name, properties[name])]),
  );
  const withArg = (name: string, json: string): string =>
    objectOf({ ...usual, [name]: json });
  const fields = Object.entries(properties);
  return [
    ...["7", '"text"', "[]", "null", "true", DEEP].map((args) => ({
      what: `${args.slice(0, 20)} as arguments`,
      args,
      names: null,
    })),
    ...["surprise", "__proto__", "constructor", "toString", "\ud800"].map(
      (name) => ({
        what: `the unknown argument ${JSON.stringify(name)}`,
        args: `{${[...membersOf(usual), `${JSON.stringify(name)}:{"x":1}`].join(",")}}`,
        names: tool.name,
      }),
    ),
    ...required.map((name) => {
      const { [name]: _, ...others } = usual;
      return { what: `no ${name}`, args: objectOf(others), names: name };
    }),
    ...fields.flatMap(([name, property]) =>
      wrongFor(property).map((json) => ({
        what: `${name} ${json.slice(0, 30)}`,
        args: withArg(name, json),
        names: name,
      })),
    ),
    ...fields.flatMap(([name, property]) =>
      oddFor(property).map((json) => ({
        what: `${name} ${json.slice(0, 30)}`,
        args: withArg(name, json),
        names: null,
      })),
    ),
  ];
};

const usualFor = (name: string, property: Property | undefined): string =>
  named[name] ??
  (property?.type === "string"
    ? '"no such thing"'
    : (SAMPLES["number"]?.[0] ?? ""));

const wrongFor = ({ type = "string", enum: values }: Property): string[] => {
  const own = type === "integer" ? "number" : type;
  return [
    ...Object.entries(SAMPLES).flatMap(([each, json]) =>
      each === own ? [] : json,
    ),
    ...(values === undefined ? [] : ['"none of them"', '""']),
    ...(type === "integer" ? ["1.5"] : []),
    ...(own === "number" ? ["1e400", "-1"] : []),
    ...(type === "array" ? ["[null]", '[""]'] : []),
  ];
};

const oddFor = ({ type, enum: values }: Property): string[] => {
  if (values !== undefined) return [];
  if (type === "string") return TEXTS;
  if (type === "array") return LISTS;
  return type === "boolean" ? [] : NUMBERS;
};

const membersOf = (members: Record<string, string>): string[] =>
  Object.entries(members).map(
    ([name, json]) => `${JSON.stringify(name)}:${json}`,
  );

const objectOf = (members: Record<string, string>): string =>
  `{${membersOf(members).join(",")}}`;
