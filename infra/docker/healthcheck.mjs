// For the HEALTHCHECK of an image: 0 while the app is live. Kubernetes asks /livez by itself.
const port = process.env.PORT ?? '3000';
try {
  const answer = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(2_000) });
  process.exit(answer.ok ? 0 : 1);
} catch {
  process.exit(1);
}
