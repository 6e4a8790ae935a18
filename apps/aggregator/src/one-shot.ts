/** Runs a command that does one thing and ends: what it did on standard output, or one sentence and exit code 1. */
export async function oneShot(work: () => Promise<string>): Promise<void> {
  try {
    console.log(await work());
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
