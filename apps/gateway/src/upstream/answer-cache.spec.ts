import { describe, expect, it } from '@jest/globals';
import { AnswerCache } from './answer-cache.js';
import type { UpstreamAnswer } from './exchange.js';

const answerOf = (text: string, headers: UpstreamAnswer['headers'] = {}, status = 200): UpstreamAnswer => ({
  status,
  headers,
  body: [Buffer.from(text)],
});
const textOf = ({ body }: UpstreamAnswer) => Buffer.concat(body).toString();

describe('kept answers', () => {
  it('are given for a second from when they were asked for, and then asked for again', async () => {
    let nowMs = 0;
    const answers = new AnswerCache(2 ** 20, () => nowMs);
    const ask = (text: string) => async () => {
      nowMs += 300;
      return answerOf(text);
    };
    const textAt = async (at: number, text: string) => {
      nowMs = at;
      return textOf(await answers.share('/a', ask(text)));
    };
    expect(await textAt(0, 'first')).toBe('first');
    expect(await textAt(999, 'second')).toBe('first');
    expect(await textAt(1_000, 'third')).toBe('third');
  });

  it('are asked for once by all who ask at one moment, who share a failure too, and it is not kept', async () => {
    const answers = new AnswerCache(2 ** 20);
    let asked = 0;
    const fail = async () => {
      asked += 1;
      throw new Error('away');
    };
    const both = await Promise.allSettled([answers.share('/a', fail), answers.share('/a', fail)]);
    expect([asked, ...both.map(({ status }) => status)]).toEqual([1, 'rejected', 'rejected']);
    expect(textOf(await answers.share('/a', async () => answerOf('later')))).toBe('later');
  });

  it('are none where the app tells an error, or says itself how long its answer may be kept', async () => {
    const answers = new AnswerCache(2 ** 20);
    for (const answer of [answerOf('', {}, 404), answerOf('', { 'cache-control': 'public, max-age=60' })]) {
      await answers.share('/a', async () => answer);
      expect(answers.get('/a')).toBeUndefined();
    }
  });

  it('take no more memory than they may: the oldest go first', async () => {
    const answers = new AnswerCache(30_000);
    for (let index = 0; index < 100; index += 1) {
      await answers.share(`/${index}`, async () => answerOf('x'.repeat(1_000)));
      expect(answers.bytes).toBeLessThanOrEqual(30_000);
    }
    expect([answers.get('/0'), answers.get('/99')?.body[0]?.length]).toEqual([undefined, 1_000]);
  });
});
