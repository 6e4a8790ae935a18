/** Aborted by SIGTERM or SIGINT; a second one ends the process at once, as if we did not listen. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => controller.abort(new Error(`stopped by ${name}`)));
  }
  return controller.signal;
}
