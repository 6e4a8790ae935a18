/** What the exit code of a command says; docs/operations.md lists them. */
export const exitCodes = {
  ok: 0,
  /** Something went wrong that is none of the below. */
  failed: 1,
  /** The command line, or a file given on it, is wrong. Nothing was changed. */
  usage: 2,
  /** The command is understood, and the state of things does not allow it. Nothing was changed unless it says so. */
  refused: 3,
  /** A store did not answer in time: try again. */
  unavailable: 4,
  /** The command did its work and found something wrong: `explain` a figure or a bucket, `status` an input not live. */
  finding: 5,
  /** The settings in the environment are wrong (EX_CONFIG of sysexits.h). */
  settings: 78,
} as const;
