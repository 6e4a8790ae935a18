import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKey, ApiKeyChange, isKeyText, PlanChange } from '@jetton-analytics/postgres';
import { newDatabase } from './new-database.js';
import { admin, adminHere, report } from './run-command.js';

type Database = Awaited<ReturnType<typeof newDatabase>>;
let store: Database;
beforeAll(async () => {
  store = await newDatabase();
}, 480_000);
afterAll(() => store?.database.destroy());

interface KeyReport {
  readonly key: string;
  readonly id: string;
  readonly prefix: string;
}
const create = async (...args: string[]) => (await report(['keys', 'create', ...args], store.env)) as KeyReport;
const changes = () => store.database.manager.count(ApiKeyChange);

describe('keys', () => {
  it('create shows the key once, and never again', async () => {
    const made = await create('--owner', 'acme', '--plan', 'pro', '--expires', '90d', '--by', 'ann');
    expect(made).toMatchObject({ owner: 'acme', plan: 'pro', revokedAt: null, setBy: 'ann', dryRun: false });
    expect(isKeyText(made.key)).toBe(true);
    const { out } = await admin(['keys', 'list'], store.env);
    expect(out).toContain(made.prefix);
    const listed = await admin(['keys', 'list', '--owner', 'acme', '--json'], store.env);
    expect(listed.json()).toMatchObject({ keys: [{ id: made.id, prefix: made.prefix, plan: 'pro' }] });
    for (const text of [out, listed.out]) expect(text).not.toContain(made.key);
  }, 300_000);

  it('create without --json prints the key on a line of its own', async () => {
    const { out } = await admin(['keys', 'create', '--owner', 'lines', '--plan', 'free'], store.env);
    expect(
      out
        .split('\n')
        .map((line) => line.trim())
        .filter(isKeyText),
    ).toHaveLength(1);
  }, 300_000);

  it('a dry run changes nothing and shows no key, and is refused for what the real run would be', async () => {
    const before = await changes();
    const { out, code } = await admin(
      ['keys', 'create', '--owner', 'dry', '--plan', 'pro', '--dry-run', '--json'],
      store.env,
    );
    expect(code).toBe(0);
    expect(out).not.toContain('ja_live_');
    const text = await admin(['keys', 'create', '--owner', 'dry', '--plan', 'pro', '--dry-run'], store.env);
    expect(text.out).not.toContain('ja_live_');
    expect(await changes()).toBe(before);
    expect(await store.database.manager.countBy(ApiKey, { owner: 'dry' })).toBe(0);
    expect((await admin(['keys', 'create', '--owner', 'dry', '--plan', 'none', '--dry-run'], store.env)).code).toBe(3);
  }, 300_000);

  it('revoke ends a key by its id or prefix, once, with who', async () => {
    const made = await create('--owner', 'gone', '--plan', 'free');
    expect(await report(['keys', 'revoke', made.prefix, '--dry-run'], store.env)).toMatchObject({ changed: true });
    expect(await store.database.manager.findOneBy(ApiKey, { id: made.id })).toMatchObject({ revokedAt: null });
    expect(await report(['keys', 'revoke', `${made.prefix}…`, '--by', 'bob'], store.env)).toMatchObject({
      changed: true,
    });
    expect(await report(['keys', 'revoke', made.id], store.env)).toMatchObject({ changed: false, setBy: 'bob' });
    expect(await report(['keys', 'list', '--owner', 'gone', '--live'], store.env)).toEqual({ keys: [] });
    const unknown = await admin(['keys', 'revoke', 'ja_live_00000000'], store.env);
    expect([unknown.code, unknown.err]).toEqual([3, 'refused: there is no such key\n']);
  }, 300_000);

  it('rotate makes a successor and lets the key live on for the grace time', async () => {
    const made = await create('--owner', 'turn', '--plan', 'business');
    const next = (await report(['keys', 'rotate', made.id, '--grace', '1h'], store.env)) as KeyReport & {
      former: { id: string; expiresAt: string };
      createdAt: string;
    };
    expect(next).toMatchObject({ owner: 'turn', plan: 'business', former: { id: made.id } });
    expect(next.key).not.toBe(made.key);
    expect(Date.parse(next.former.expiresAt) - Date.parse(next.createdAt)).toBe(3_600_000);
    await report(['keys', 'revoke', made.id], store.env);
    expect((await admin(['keys', 'rotate', made.id], store.env)).code).toBe(3);
  }, 300_000);

  it.each([
    [['keys', 'create', '--owner', 'x'], '--plan'],
    [['keys', 'create', '--owner', ' ', '--plan', 'free'], 'owner'],
    [['keys', 'create', '--owner', 'x', '--plan', 'free', '--expires', 'soon'], '--expires'],
    [['keys', 'create', '--owner', 'x', '--plan', 'free', '--expires', '2020-01-01T00:00:00Z'], 'expired'],
    [['keys', 'rotate', '1', '--grace', 'long'], '--grace'],
    [['keys', 'list', '--onwer', 'x'], '--owner'],
  ])(
    'refuse %j as wrong usage',
    async (args, named) => {
      const ended = await adminHere(args, store.env);
      expect(ended.code).toBe(2);
      expect(ended.err).toContain(named);
    },
    300_000,
  );
});

describe('plans', () => {
  it('list the four of the service', async () => {
    const { plans } = (await report(['plans', 'list'], store.env)) as { plans: { name: string; paid: boolean }[] };
    expect(plans.map(({ name, paid }) => [name, paid])).toEqual([
      ['business', true],
      ['free', false],
      ['pro', true],
      ['public', false],
    ]);
  }, 300_000);

  it('set changes what is given, keeps the rest, and records who', async () => {
    const changed = () => store.database.manager.count(PlanChange);
    const before = await changed();
    const args = ['plans', 'set', 'pro', '--per-second', '60', '--by', 'ann'];
    expect(await report([...args, '--dry-run'], store.env)).toMatchObject({
      before: { requestsPerSecond: 50 },
      after: { requestsPerSecond: 60 },
      dryRun: true,
    });
    expect(await changed()).toBe(before);
    expect(await report(args, store.env)).toMatchObject({
      before: { requestsPerSecond: 50, burst: 100, paid: true },
      after: { requestsPerSecond: 60, burst: 100, paid: true, setBy: 'ann' },
    });
    expect(await changed()).toBe(before + 1);
    const made = ['plans', 'set', 'trial', '--paid', '--per-second', '2', '--burst', '4', '--per-day', '1000'];
    expect(await report(made, store.env)).toMatchObject({ before: null, after: { name: 'trial', paid: true } });
    expect(await report(['plans', 'set', 'trial', '--no-paid'], store.env)).toMatchObject({ after: { paid: false } });
  }, 300_000);

  it.each([
    [['plans', 'set', 'pro', '--per-second', '0'], '--per-second'],
    [['plans', 'set', 'pro', '--burst', '1'], 'out of bounds'],
    [['plans', 'set', 'new', '--paid'], 'a new plan needs'],
  ])(
    'refuse %j as wrong usage',
    async (args, named) => {
      const ended = await adminHere(args, store.env);
      expect(ended.code).toBe(2);
      expect(ended.err).toContain(named);
    },
    300_000,
  );
});
