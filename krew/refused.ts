/** What cannot be done, and what to do next: one line for people, no stack. */
export class Refused extends Error {
  constructor(message: string, hint: string) {
    super(`${message}; ${hint}`);
  }
}

/** Runs the work of a script; ends it with one line where that is refused. */
export async function runScript(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  }
}
