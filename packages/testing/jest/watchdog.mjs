// Outlives a Jest that is interrupted or killed, and then clears what its run has started.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clearRun, isAlive } from './run-folder.mjs';

const folder = process.argv[2];
const owner = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'));
while (isAlive(owner) && existsSync(folder)) await sleep(500);
if (existsSync(folder)) await clearRun(folder);
