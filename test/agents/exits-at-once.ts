process.stderr.write("exits-at-once: no licence file found\n");
process.exitCode = 7;
