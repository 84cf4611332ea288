/** Gemini's API: what Gemini CLI speaks. */
import * as z from "zod";
import type { Item } from "./conversation.ts";
import { Arguments, toolOf } from "./schema.ts";
import type { Answer, Wire } from "./wire.ts";

export const gemini: Wire = {
  name: "gemini",
  path: /^\/v1(?:beta)?\/models\/[^:]+:(?:streamGenerateContent|generateContent)$/,
  read: (body, path) => {
    const request = Request.parse(body);
    return {
      items: request.contents.flatMap(itemsOf),
      tools: request.tools
        .flatMap(({ functionDeclarations }) => functionDeclarations)
        .map(({ name, parameters, parametersJsonSchema }) =>
          toolOf(name, parametersJsonSchema ?? parameters),
        ),
      wantsJson:
        request.generationConfig?.responseMimeType === "application/json",
      streams: path.endsWith(":streamGenerateContent"),
    };
  },
  document: (answer) => document(partsOf(answer), true),
  stream: (answer) => ({
    before: [],
    chunk: (text) => [{ data: document([{ text }], false) }],
    after: [
      {
        data: document(
          answer.kind === "call" ? partsOf(answer) : [{ text: "" }],
          true,
        ),
      },
    ],
  }),
  quota: (seconds) => ({
    headers: { "retry-after": String(seconds) },
    body: {
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "You exceeded your current quota",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            violations: [
              {
                quotaMetric: "generativelanguage.googleapis.com/requests",
                quotaId: "GenerateRequestsPerDayPerProjectPerModel",
              },
            ],
          },
          {
            "@type": "type.googleapis.com/google.rpc.RetryInfo",
            retryDelay: `${seconds}s`,
          },
        ],
      },
    },
  }),
};

const Part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.looseObject({ name: z.string() }).optional(),
  functionResponse: z
    .looseObject({ response: z.unknown().optional() })
    .optional(),
});

const Turn = z.object({
  role: z.string().default("user"),
  parts: z.array(Part).default([]),
});

const Request = z.object({
  contents: z.array(Turn),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.object({
              name: z.string(),
              parameters: Arguments.optional(),
              parametersJsonSchema: Arguments.optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  generationConfig: z
    .looseObject({ responseMimeType: z.string().optional() })
    .optional(),
});

const itemsOf = ({ role, parts }: z.infer<typeof Turn>): Item[] =>
  parts.flatMap((part): Item[] => {
    if (part.functionCall)
      return [{ kind: "call", name: part.functionCall.name }];
    if (part.functionResponse)
      return [
        {
          kind: "result",
          text: JSON.stringify(part.functionResponse.response),
        },
      ];
    if (part.text === undefined || part.thought === true) return [];
    return [{ kind: role === "model" ? "assistant" : "user", text: part.text }];
  });

const partsOf = (answer: Answer): object[] =>
  answer.kind === "text"
    ? [{ text: answer.chunks.join("") }]
    : [{ functionCall: { name: answer.name, args: answer.input } }];

const document = (parts: object[], last: boolean) => ({
  candidates: [
    {
      index: 0,
      content: { role: "model", parts },
      ...(last ? { finishReason: "STOP" } : {}),
    },
  ],
  ...(last
    ? {
        usageMetadata: {
          promptTokenCount: 11,
          candidatesTokenCount: 7,
          totalTokenCount: 18,
        },
      }
    : {}),
  modelVersion: "scripted",
});
