import { writeFileSync } from 'node:fs';
import { askExamples } from './ask-examples.js';

const [url, key] = process.argv.slice(2);
if (url === undefined || key === undefined) {
  console.error('usage: npm run openapi:examples -- <URL of a running service> <key of a paid plan>');
  process.exit(2);
}
const entries = Object.entries(await askExamples({ url, key }));
const head = `// Real answers of a service over the simulated market, in short. Written by: npm run openapi:examples
/** The example of every operation's answer, by its id: text as it is sent. */
export const answerExamples: Readonly<Record<string, string>> = {`;
const lines = entries.map(([id, text]) => `  ${id}: ${JSON.stringify(text)},`);
writeFileSync(new URL('../../src/openapi/examples.ts', import.meta.url), [head, ...lines, '};', ''].join('\n'));
