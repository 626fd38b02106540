// Runs the files of tests in Chromium, two at a time, as each has processes of its own, and
// what takes longest first; beside them the one that mostly waits. A result is kept until
// something has changed of what its file sees (kept.ts). What fails is run once more with nothing beside it, for finding
// out and not for passing: a file that passes then depends on who is quicker. It is named as
// unsteady, and the run has failed all the same.
import { spawn } from "node:child_process";
import { basename } from "node:path";
import { Kept } from "./kept.ts";

const together = 2;

/** What takes longest, so that none of it runs alone at the end. */
const long = ["silent", "acts", "learn", "keys", "student", "child", "screens", "opened", "fit", "noscript", "people", "pages", "first", "hall", "study", "queue"];

/** What waits by the clock for minutes. */
const waits = "offline";

const kept = new Kept();

/** test runs one file and resolves to whether it passed. */
function test(file: string): Promise<boolean> {
  const place = kept.place(file);
  const before = kept.at(place);
  if (before !== undefined) {
    process.stdout.write(`${file} (kept)\n${before}`);
    return Promise.resolve(true);
  }
  return new Promise((done) => {
    const child = spawn(process.execPath, ["--test", "--test-reporter=spec", file], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (part: Buffer) => (said += part));
    child.on("close", (code) => {
      process.stdout.write(`${file}\n${said}`);
      if (code === 0) kept.keep(place, said);
      done(code === 0);
    });
  });
}

const files = process.argv.slice(2);
if (files.length === 0) throw new Error("no file of tests is named");
const failed: string[] = [];
const name = (file: string) => basename(file).split(".")[0]!;
const rank = (file: string) => (long.includes(name(file)) ? long.indexOf(name(file)) : long.length);
const queue = files.filter((file) => name(file) !== waits).toSorted((a, b) => rank(a) - rank(b));
const all = async (list: string[]) => {
  for (let file = list.shift(); file; file = list.shift()) if (!(await test(file))) failed.push(file);
};
await Promise.all([all(files.filter((file) => name(file) === waits)), ...Array.from({ length: together }, () => all(queue))]);
const unsteady: string[] = [];
for (const file of failed) {
  if (failed.length > 3) break; // this is no chance
  console.log(`== once more, alone: ${file}`);
  if (await test(file)) unsteady.push(file);
}
const broken = failed.filter((file) => !unsteady.includes(file));
if (broken.length > 0) console.log(`failed: ${broken.join(" ")}`);
if (unsteady.length > 0) console.log(`UNSTEADY: failed beside the others, see above, and passed alone: ${unsteady.join(" ")}`);
if (failed.length > 0) process.exit(1);
