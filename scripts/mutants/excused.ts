/** Mutants that no test can or should kill, by file and change, and why. */
export const excused: Readonly<Record<string, string>> = {};
