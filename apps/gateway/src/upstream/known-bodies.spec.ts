import { describe, expect, it } from '@jest/globals';
import type { UpstreamAnswer } from './exchange.js';
import { KnownBodies } from './known-bodies.js';
import type { Question } from './question.js';

const large = 'x'.repeat(20_000);

/** An app behind whose body is what `say` has been told last: it answers 304 where a tag of the question is its own. */
class App {
  readonly asked: (string | undefined)[] = [];
  #body = large;
  #etag = '"1"';

  say(etag: string, body: string): void {
    [this.#etag, this.#body] = [etag, body];
  }

  readonly ask = async ({ ifNoneMatch }: Question): Promise<UpstreamAnswer> => {
    this.asked.push(ifNoneMatch);
    const headers = { etag: this.#etag, 'x-data-lag': String(this.asked.length) };
    if (ifNoneMatch === '*' || ifNoneMatch?.split(', ').includes(this.#etag) === true) {
      return { status: 304, headers, body: [] };
    }
    return {
      status: 200,
      headers: { ...headers, 'content-type': 'application/json' },
      body: [Buffer.from(this.#body.slice(0, 10)), Buffer.from(this.#body.slice(10))],
    };
  };
}

const question = (ifNoneMatch?: string, path = '/list'): Question => ({ path, requestId: 'spec', ifNoneMatch });
const textOf = ({ body }: UpstreamAnswer) => Buffer.concat(body).toString();

describe('known bodies', () => {
  it('are not sent again by the app that says they have not changed; whoever asks gets them with the newest headers', async () => {
    const app = new App();
    const bodies = new KnownBodies(2 ** 20);
    await bodies.answer(question(), app.ask);
    const again = await bodies.answer(question(), app.ask);
    expect([again.status, textOf(again)]).toEqual([200, large]);
    expect(again.headers).toEqual({ etag: '"1"', 'x-data-lag': '2', 'content-type': 'application/json' });
    expect(app.asked).toEqual([undefined, '"1"']);
  });

  it('are replaced by what the app answers when they have changed', async () => {
    const app = new App();
    const bodies = new KnownBodies(2 ** 20);
    await bodies.answer(question(), app.ask);
    app.say('"2"', `${large}y`);
    expect(textOf(await bodies.answer(question(), app.ask))).toBe(`${large}y`);
    expect(textOf(await bodies.answer(question(), app.ask))).toBe(`${large}y`);
    expect(app.asked).toEqual([undefined, '"1"', '"2"']);
  });

  it('leave a 304 to the client that has the body, by its tag or by *, and give the body to one that has another', async () => {
    const app = new App();
    const bodies = new KnownBodies(2 ** 20);
    await bodies.answer(question(), app.ask);
    expect((await bodies.answer(question('"1"'), app.ask)).status).toBe(304);
    expect((await bodies.answer(question('*'), app.ask)).status).toBe(304);
    const other = await bodies.answer(question('"0"'), app.ask);
    expect([other.status, textOf(other)]).toEqual([200, large]);
    app.say('"0"', large);
    expect((await bodies.answer(question('"0"'), app.ask)).status).toBe(304);
    const long = `"${'0'.repeat(2_000)}"`;
    expect(textOf(await bodies.answer(question(long), app.ask))).toBe(large);
    expect(app.asked.at(-1)).toBe(long);
  });

  it('are none where a body is small, has no tag or tells an error', async () => {
    const bodies = new KnownBodies(2 ** 20);
    const answers: UpstreamAnswer[] = [
      { status: 200, headers: { etag: '"1"' }, body: [Buffer.from('small')] },
      { status: 200, headers: {}, body: [Buffer.from(large)] },
      { status: 404, headers: { etag: '"1"' }, body: [Buffer.from(large)] },
    ];
    for (const answer of answers) {
      await bodies.answer(question(), async () => answer);
      expect(bodies.bytes).toBe(0);
    }
  });

  it('take no more memory than they may: what was not asked for longest goes first', async () => {
    const app = new App();
    const bodies = new KnownBodies(70_000);
    for (const path of ['/a', '/b', '/c']) await bodies.answer(question(undefined, path), app.ask);
    await bodies.answer(question(undefined, '/a'), app.ask);
    await bodies.answer(question(undefined, '/d'), app.ask);
    expect(bodies.bytes).toBeLessThanOrEqual(70_000);
    app.asked.length = 0;
    for (const path of ['/a', '/b']) await bodies.answer(question(undefined, path), app.ask);
    expect(app.asked).toEqual(['"1"', undefined]);
  });
});
