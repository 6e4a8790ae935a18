import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keptCursorSecret } from './cursor-secret.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cursor-secret-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the secret of the cursors', () => {
  it('is long, the same after a restart, and nobody else’s to read', () => {
    const secret = keptCursorSecret(folder);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(keptCursorSecret(folder)).toBe(secret);
    expect(statSync(join(folder, 'cursor-secret')).mode & 0o077).toBe(0);
  });
});
