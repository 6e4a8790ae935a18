import { describe, expect, it } from '@jest/globals';
import { Health } from './health.js';

describe('Health', () => {
  it('is ready only when every check is, and shows the state of each', async () => {
    const health = new Health();
    expect(await health.ready()).toEqual({ ok: true, checks: {} });
    health.addReadiness('a', () => ({ ok: true, detail: 'fine' }));
    health.addReadiness('b', async () => ({ ok: false, detail: 'not yet' }));
    expect(await health.ready()).toEqual({
      ok: false,
      checks: { a: { ok: true, detail: 'fine' }, b: { ok: false, detail: 'not yet' } },
    });
  });

  it('tells of a check that throws by the name of the error only: a message may name hosts', async () => {
    const health = new Health();
    health.addReadiness('store', () => Promise.reject(new TypeError('connect db-1.internal')));
    expect(await health.ready()).toEqual({ ok: false, checks: { store: { ok: false, detail: 'TypeError' } } });
  });

  it('shows a check that does not decide without becoming unready by it', async () => {
    const health = new Health();
    health.addReadiness('extra', () => ({ ok: false }), { decides: false });
    expect(await health.ready()).toEqual({ ok: true, checks: { extra: { ok: false } } });
  });

  it('stays live while it is not ready, and is not ready while it stops', async () => {
    const health = new Health();
    health.stop();
    expect((await health.live()).ok).toBe(true);
    expect(await health.ready()).toEqual({ ok: false, checks: { shutdown: { ok: false, detail: 'stopping' } } });
  });
});
