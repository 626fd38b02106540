// Runs the files of tests in Chromium, some at a time. What fails is run once more with
// nothing beside it: the tests drive real engines and browsers on a machine that may be
// busy. A file that passes only then is named as unsteady.
import { spawn } from "node:child_process";

const together = 2;

/** test runs one file and resolves to whether it passed. */
function test(file: string): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ["--test", "--test-reporter=spec", file], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (part: Buffer) => (said += part));
    child.on("close", (code) => {
      process.stdout.write(`${file}\n${said}`);
      done(code === 0);
    });
  });
}

const files = process.argv.slice(2);
if (files.length === 0) throw new Error("no file of tests is named");
const failed: string[] = [];
const queue = [...files];
await Promise.all(
  Array.from({ length: together }, async () => {
    for (let file = queue.shift(); file; file = queue.shift()) if (!(await test(file))) failed.push(file);
  }),
);
const unsteady: string[] = [];
for (const file of failed) {
  if (failed.length > 3) break; // this is no chance
  console.log(`== once more, alone: ${file}`);
  if (!(await test(file))) break;
  unsteady.push(file);
}
if (unsteady.length < failed.length) {
  console.log(`failed: ${failed.filter((file) => !unsteady.includes(file)).join(" ")}`);
  process.exit(1);
}
if (unsteady.length > 0) console.log(`UNSTEADY: failed beside the others and passed alone, see above: ${unsteady.join(" ")}`);
