import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FrameReader } from './frame-reader.js';
import { answerFrameHead, leaveFrame, questionFrame, readAnswer, readQuestion } from './frames.js';

const follows = (frame: Buffer) => frame.subarray(4);

describe('frames', () => {
  it('carry a question and an answer as they were', () => {
    const question = questionFrame(7, '/v1/jettons?search=\u00e9', ['x-request-id', 'id-1', 'if-none-match', '"a"']);
    expect(readQuestion(follows(question))).toEqual({
      number: 7,
      path: '/v1/jettons?search=\u00e9',
      headers: { 'x-request-id': 'id-1', 'if-none-match': '"a"' },
    });
    const body = Buffer.from('{"ä":1}');
    const parts = { number: 2 ** 32 - 1, bodyName: 3, status: 200, headers: ['etag', '"a"'], bodyBytes: body.length };
    const answer = Buffer.concat([answerFrameHead(parts), body]);
    expect(answer.readUInt32LE(0)).toBe(answer.length - 4);
    const read = readAnswer(follows(answer));
    expect(read).toMatchObject({ number: 2 ** 32 - 1, bodyName: 3, status: 200, headers: { etag: '"a"' } });
    expect(read?.body.equals(body)).toBe(true);
    expect(readQuestion(follows(questionFrame(1, '/', []))).headers).toEqual({});
    expect(readAnswer(follows(leaveFrame()))).toBeUndefined();
  });

  it('are refused where an answer is cut, rather than passed on', () => {
    const answer = answerFrameHead({ number: 1, bodyName: 0, status: 200, headers: ['etag', '"a"'], bodyBytes: 0 });
    expect(() => readAnswer(answer.subarray(4, -1))).toThrow(RangeError);
  });
});

describe('FrameReader', () => {
  it('gives every frame whole and in order, however its bytes are cut', () => {
    const texts = fc.array(fc.string({ maxLength: 300 }), { maxLength: 20 });
    const cuts = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(texts, cuts, (paths, lengths) => {
        const lines = paths.map((path) => path.replaceAll('\n', ' '));
        const stream = Buffer.concat(lines.map((path, index) => questionFrame(index + 1, path, [])));
        const given: string[] = [];
        const reader = new FrameReader(10_000, (frame) => given.push(frame.toString('hex')));
        for (let at = 0, cut = 0; at < stream.length; cut += 1) {
          const end = at + (lengths[cut % lengths.length] ?? 1);
          reader.push(stream.subarray(at, end));
          at = end;
        }
        expect(given).toEqual(lines.map((path, index) => follows(questionFrame(index + 1, path, [])).toString('hex')));
      }),
    );
  });

  it('refuses a frame that is larger than it may be before anything of it is kept', () => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(101);
    const reader = new FrameReader(100, () => undefined);
    expect(() => reader.push(length)).toThrow('a frame of 101 bytes');
    length.writeUInt32LE(3);
    expect(() => new FrameReader(100, () => undefined).push(length)).toThrow('a frame of 3 bytes');
  });
});
