/** What is mounted in a workspace is somebody else's: it is neither captured nor touched. */
import { SIDE_WORKER } from "../../src/checkpoint/workers/programs.ts";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Bench, unheard } from "../../src/checkpoint/fixtures/bench.ts";
import { judge } from "../../src/checkpoint/fixtures/judge.ts";
import { SideWorkers } from "../../src/checkpoint/threads/side-workers.ts";
import { restore } from "../../src/checkpoint/restore/restore.ts";
import { unsealed } from "../../src/checkpoint/restore/restore-plan.ts";
import { capture } from "../../src/checkpoint/capture/save.ts";
import { Sketch } from "../../src/checkpoint/packs/sink.ts";
import { summary } from "../../src/checkpoint/capture/summary.ts";
import { BindMount } from "./bind-mount.ts";
import { diskTest, type SmallDisk } from "./small-disk.ts";

/** A workspace, and somebody's directory beside it on the same file system. */
const sceneOn = async (disk: SmallDisk) => {
  const bench = await Bench.make(disk.path);
  const at = (name: string): string => join(bench.workspace, name);
  const precious = join(disk.path, "precious");
  mkdirSync(join(precious, "deep"), { recursive: true });
  for (const name of ["file", "same", "deep/file"])
    writeFileSync(join(precious, name), `precious ${name}`);
  mkdirSync(at("data/deep"), { recursive: true });
  for (const name of ["data/file", "data/same", "data/deep/file", "other"])
    writeFileSync(at(name), name);
  const was = judge(precious);
  return {
    bench,
    at,
    precious,
    plan: (tree: string) =>
      bench.vault.planRestore({
        tree,
        into: bench.workspace,
        cacheKey: "workspace",
      }),
    assertUntouched: () => assert.deepEqual(judge(precious), was),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
};

diskTest(
  "[CHK-34] what is mounted in a workspace is left out, and what it covers is captured when it is gone",
  async (disk) => {
    await using scene = await sceneOn(disk);
    const { bench, at, precious } = scene;
    const bare = await bench.save();
    mkdirSync(at("memory"));
    writeFileSync(at("setting"), "ours");
    {
      using mounts = new DisposableStack();
      mounts.use(new BindMount(precious, at("data")));
      mounts.use(new BindMount(join(precious, "file"), at("setting")));
      execFileSync("mount", ["-t", "tmpfs", "memory", at("memory")]);
      try {
        for (const _ of ["first", "from the cache"]) {
          const saved = await bench.save();
          assert.equal(saved.outcome, "saved");
          assert.deepEqual(saved.left_out, [
            { path: "data", reason: "mounted" },
            { path: "memory", reason: "mounted" },
            { path: "setting", reason: "mounted" },
          ]);
          assert.equal(saved.files, 1);
          assert.deepEqual(await bench.vault.gaps(bare.tree, saved.tree), [
            "data",
            "memory",
            "setting",
          ]);
          const elsewhere = bench.place();
          await bench.restore(saved.tree, elsewhere);
          assert.deepEqual(readdirSync(elsewhere), ["other"]);
        }
      } finally {
        execFileSync("umount", [at("memory")]);
      }
    }
    const uncovered = await bench.save();
    assert.deepEqual(uncovered.left_out, []);
    await bench.assertIs(uncovered.tree, judge(bench.workspace));
    scene.assertUntouched();
  },
);

diskTest(
  "[CHK-34] a workspace that is a mount itself is captured and restored",
  async (disk) => {
    await using scene = await sceneOn(disk);
    const { bench, precious } = scene;
    const seen = bench.place();
    mkdirSync(seen);
    using _ = new BindMount(precious, seen);
    const options = { root: seen, cacheKey: "seen" };
    const { tree, left_out } = await bench.save(options);
    assert.deepEqual(left_out, []);
    const was = judge(seen);
    writeFileSync(join(seen, "file"), "changed");
    await bench.restore(tree, seen);
    assert.deepEqual(judge(seen), was);
  },
);

diskTest(
  "[CHK-35] a restore leaves alone what is mounted where a directory was, and says so",
  async (disk) => {
    await using scene = await sceneOn(disk);
    const { bench, at, precious, plan, assertUntouched } = scene;
    const first = await bench.save();
    const was = judge(bench.workspace);
    writeFileSync(at("data/file"), "second");
    writeFileSync(at("other"), "second");
    {
      using _ = new BindMount(precious, at("data"));
      const second = await bench.save();
      const back = await plan(first.tree);
      assert.deepEqual(back.mounted, ["data"]);
      assert.deepEqual(
        back.changes.map(({ path }) => path),
        ["other"],
      );
      await bench.vault.restore(back);
      assertUntouched();
      assert.equal(readFileSync(at("other"), "utf8"), "other");
      // And the undo.
      await bench.restore(second.tree);
      assertUntouched();
      assert.equal(readFileSync(at("other"), "utf8"), "second");
    }
    // What the mount had covered is still there, and can be brought back now.
    assert.equal(readFileSync(at("data/file"), "utf8"), "second");
    await bench.restore(first.tree);
    assert.deepEqual(judge(bench.workspace), was);
  },
);

diskTest(
  "[CHK-35] a directory that shall go stays when something is mounted in it",
  async (disk) => {
    await using scene = await sceneOn(disk);
    const { bench, at, precious, assertUntouched } = scene;
    const { tree } = await bench.save();
    mkdirSync(at("new/mounted"), { recursive: true });
    writeFileSync(at("new/file"), "goes");
    using _ = new BindMount(precious, at("new/mounted"));
    const { kept } = await bench.restore(tree);
    assert.deepEqual(kept, ["new"]);
    assert.equal(existsSync(at("new/file")), false);
    assertUntouched();
  },
);

/** What a plan would touch, and what is mounted there before it is carried out. */
const MEANWHILE: Record<string, (scene: Scene) => BindMount> = {
  "a directory in which files are replaced": ({ precious, at }) =>
    new BindMount(precious, at("data")),
  "a directory that only gets its mode": ({ precious, at }) =>
    new BindMount(join(precious, "deep"), at("closed")),
  "a directory that goes": ({ precious, at }) =>
    new BindMount(precious, at("added")),
  "a file that is replaced": ({ precious, at }) =>
    new BindMount(join(precious, "file"), at("other")),
};

type Scene = Awaited<ReturnType<typeof sceneOn>>;

for (const [what, mount] of Object.entries(MEANWHILE))
  diskTest(
    `[CHK-35] what is mounted after the plan is not touched: ${what}`,
    async (disk) => {
      await using scene = await sceneOn(disk);
      const { bench, at, plan, assertUntouched } = scene;
      mkdirSync(at("closed"));
      const { tree } = await bench.save();
      change(at);
      const back = await plan(tree);
      {
        using _ = mount(scene);
        const now = judge(bench.workspace);
        await assert.rejects(bench.vault.restore(back), { code: "changed" });
        assert.deepEqual(judge(bench.workspace), now);
        assertUntouched();
      }
      await bench.restore(tree);
    },
  );

diskTest(
  "[CHK-35] what is mounted while a restore is under way is not touched",
  async (disk) => {
    await using scene = await sceneOn(disk);
    const { bench, at, precious, plan, assertUntouched } = scene;
    mkdirSync(at("closed"));
    const { tree } = await bench.save();
    change(at);
    const { drafts, ...rest } = unsealed((await plan(tree)).sealed);
    const mounts: BindMount[] = [];
    const asked = {
      ...rest,
      restoreId: "0".repeat(32),
      // They are asked for when the ground was checked, and before anything is touched.
      get drafts() {
        mounts.push(new BindMount(precious, at("data")));
        return drafts;
      },
    };
    const { bytes, ...given } = around(bench);
    try {
      await assert.rejects(restore(asked, given), { code: "changed" });
      assertUntouched();
    } finally {
      for (const mount of mounts) mount[Symbol.dispose]();
      await bytes.close();
    }
  },
);

diskTest(
  "[CHK-35] a restore is refused when another disk was mounted on the workspace since it was planned",
  async (disk) => {
    await using scene = await sceneOn(disk);
    const { bench, at, precious, plan, assertUntouched } = scene;
    const { tree } = await bench.save();
    rmSync(at("other"));
    const back = await plan(tree);
    using _ = new BindMount(precious, bench.workspace);
    await assert.rejects(bench.vault.restore(back), { code: "changed" });
    assertUntouched();
  },
);

diskTest(
  "[CHK-34] what is mounted while a workspace is looked through is not captured",
  async (disk) => {
    for (let asks = 1, isOver = false; !isOver; asks += 1) {
      await using scene = await sceneOn(disk);
      const { bench, at, precious } = scene;
      const mounts: BindMount[] = [];
      let asked = 0;
      const isAborted = (): boolean => {
        if ((asked += 1) === asks)
          mounts.push(new BindMount(precious, at("data")));
        return false;
      };
      const request = {
        root: bench.workspace,
        leaveOut: [],
        maxFileBytes: 1e9,
      };
      const { arena, tree } = await capture(
        request,
        { ...around(bench), cache: null, generation: "one", isAborted },
        new Sketch(around(bench).objects),
        null,
      );
      isOver = mounts.length === 0;
      for (const mount of mounts) mount[Symbol.dispose]();
      rmSync(precious, { recursive: true });
      assert.notEqual(tree, null);
      const { left_out, files } = summary(arena);
      if (isOver)
        assert.deepEqual({ left_out, files }, { left_out: [], files: 4 });
      else
        assert.deepEqual(
          { left_out, files },
          { left_out: [{ path: "data", reason: "mounted" }], files: 1 },
          `mounted at ${asks}`,
        );
    }
  },
);

/** Every kind of step. */
const change = (at: Scene["at"]): void => {
  writeFileSync(at("data/file"), "second");
  writeFileSync(at("data/deep/file"), "second");
  chmodSync(at("data/same"), 0o600);
  chmodSync(at("closed"), 0o700);
  mkdirSync(at("added"));
  writeFileSync(at("added/file"), "added");
  renameSync(at("other"), at("moved"));
  writeFileSync(at("other"), "second");
};

const around = (bench: Bench) => {
  const objects = bench.objects();
  return {
    bytes: objects.bytes,
    objects,
    isAborted: () => false,
    draftKind: () => null,
    sideWorkers: new SideWorkers(
      SIDE_WORKER,
      bench.site,
      unheard,
      new SharedArrayBuffer(4),
      0,
    ),
  };
};
