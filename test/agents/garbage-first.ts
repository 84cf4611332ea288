process.stdout.write("Welcome to garbage-first 1.0! Loading plugins…\n\n");
process.stdout.write(
  Buffer.from([0xff, 0xfe, 0x00, 0x1b, 0x5b, 0x32, 0x4a, 0x0a]),
);
process.stdout.write('{"jsonrpc": "2.0", "method": \n');
process.stdout.write('[1, 2, 3]\n"just a string"\nnull\n{"no": "rpc"}\n');
process.stdout.write('{"jsonrpc":"2.0","id":"never-asked","result":{}}\n');
await import("../../src/programs/demo/main.ts");
